#include "dovetail/backends/vpu/custom/custom_layers.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/vpu/custom/restriction.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/extensions/custom_kernels/shave/reader.h"
#include "dovetail/extensions/custom_kernels/source_file.h"

namespace dovetail::vpu {
namespace {

constexpr absl::string_view kSection = "vpu.custom_layers";

absl::StatusOr<std::string> TakeText(ByteReader& bytes) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view text, bytes.Text());
  return std::string(text);
}

// With what they include.
std::map<std::string, std::string> SourcesOf(
    const std::vector<ShaveLayer>& layers) {
  std::map<std::string, std::string> sources;
  for (const ShaveLayer& layer : layers) {
    for (const ShaveKernel& kernel : layer.kernels) {
      for (const CustomSource& source : kernel.sources) {
        sources[source.name] = source.text;
      }
    }
  }
  return sources;
}

bool IsNamed(const Node& node, const std::string& name) {
  return absl::EqualsIgnoreCase(node.op().type, name) ||
         absl::EqualsIgnoreCase(node.op().ir_type, name);
}

// Whether the node has the tensors that the kernels take and fill.
bool HasPorts(const Node& node, const ShaveLayer& layer) {
  using Kind = ShaveArgument::Kind;
  for (const ShaveKernel& kernel : layer.kernels) {
    for (const ShaveArgument& argument : kernel.arguments) {
      const bool is_input = argument.kind == Kind::kInput;
      if (!is_input && argument.kind != Kind::kOutput) continue;
      const int count = is_input ? node.input_count() : node.output_count();
      if (argument.port >= count) return false;
      if (is_input && !node.input(argument.port)) return false;
    }
  }
  return true;
}

void AddNames(const Model& model, const CustomLayers& layers,
              const ShaveLayer& layer, std::vector<std::string>& names) {
  for (const auto& node : model.nodes()) {
    if (layers.Find(*node) == &layer) names.push_back(node->name());
    for (const auto& body : node->bodies()) {
      AddNames(*body->model, layers, layer, names);
    }
  }
}

}  // namespace

std::vector<PropertySpec> CustomLayerProperties() {
  std::vector<PropertySpec> specs;
  for (const absl::string_view name : kCustomLayersKeys) {
    PropertySpec spec = TextProperty(
        name, "", "An XML file of custom layers, whose kernels run on SHAVEs.");
    spec.check = [](absl::string_view text) -> absl::StatusOr<std::string> {
      std::string path(text);
      if (path.empty()) return path;
      const absl::Status status = ReadShaveLayers(path).status();
      if (status.ok()) return path;
      return InvalidArgument("want a file of custom layers: ",
                             status.message());
    };
    specs.push_back(std::move(spec));
  }
  return specs;
}

absl::StatusOr<std::shared_ptr<const CustomLayers>> CustomLayers::Of(
    const Config& config) {
  auto all = std::make_shared<CustomLayers>();
  for (const absl::string_view key : kCustomLayersKeys) {
    const std::string path = config.GetString(key);
    if (path.empty()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<ShaveLayer> layers,
                              ReadShaveLayers(path));
    DOVETAIL_ASSIGN_OR_RETURN(std::string xml, ReadSourceFile(path));
    DOVETAIL_RETURN_IF_ERROR(
        all->Add({path, std::move(xml), SourcesOf(layers)}));
  }
  return std::shared_ptr<const CustomLayers>(std::move(all));
}

absl::Status CustomLayers::Add(File file) {
  DOVETAIL_ASSIGN_OR_RETURN(
      std::vector<ShaveLayer> layers,
      ParseShaveLayers(file.xml, file.name, file.sources));
  for (ShaveLayer& layer : layers) layers_.push_back(std::move(layer));
  files_.push_back(std::move(file));
  return absl::OkStatus();
}

absl::Status CustomLayers::Export(BlobWriter& blob) const {
  if (files_.empty()) return absl::OkStatus();
  ByteWriter bytes;
  bytes.Number(files_.size());
  for (const File& file : files_) {
    bytes.Text(file.name);
    bytes.Text(file.xml);
    bytes.Number(file.sources.size());
    for (const auto& [name, text] : file.sources) {
      bytes.Text(name);
      bytes.Text(text);
    }
  }
  return blob.AddSection(kSection, bytes.bytes());
}

absl::StatusOr<std::shared_ptr<const CustomLayers>> CustomLayers::Import(
    const BlobReader& blob) {
  auto all = std::make_shared<CustomLayers>();
  if (!blob.HasSection(kSection)) {
    return std::shared_ptr<const CustomLayers>(std::move(all));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes section, blob.Section(kSection));
  ByteReader bytes(section.view());
  DOVETAIL_ASSIGN_OR_RETURN(const size_t files, bytes.Count(24));
  for (size_t i = 0; i < files; ++i) {
    File file;
    DOVETAIL_ASSIGN_OR_RETURN(file.name, TakeText(bytes));
    DOVETAIL_ASSIGN_OR_RETURN(file.xml, TakeText(bytes));
    DOVETAIL_ASSIGN_OR_RETURN(const size_t sources, bytes.Count(16));
    for (size_t k = 0; k < sources; ++k) {
      DOVETAIL_ASSIGN_OR_RETURN(const std::string name, TakeText(bytes));
      DOVETAIL_ASSIGN_OR_RETURN(file.sources[name], TakeText(bytes));
    }
    DOVETAIL_RETURN_IF_ERROR(all->Add(std::move(file)));
  }
  DOVETAIL_RETURN_IF_ERROR(bytes.Finish());
  return std::shared_ptr<const CustomLayers>(std::move(all));
}

const ShaveLayer* CustomLayers::Find(const Node& node) const {
  for (const ShaveLayer& layer : layers_) {
    if (IsNamed(node, layer.name) && HasPorts(node, layer) &&
        MeetsRestrictions(layer.where_parameters, node)) {
      return &layer;
    }
  }
  return nullptr;
}

const ShaveLayer* CustomLayers::At(absl::string_view where) const {
  for (const ShaveLayer& layer : layers_) {
    if (layer.where == where) return &layer;
  }
  return nullptr;
}

std::string CustomLayers::Identity() const {
  std::string all;
  for (const File& file : files_) {
    absl::StrAppend(&all, file.name, "\n", file.xml, "\n");
    for (const auto& [name, text] : file.sources) {
      absl::StrAppend(&all, name, "\n", text, "\n");
    }
  }
  return all.empty() ? "" : absl::StrCat("custom layers ", HexHash128(all));
}

std::vector<CustomLayers::Match> CustomLayers::MatchesIn(
    const Model& model) const {
  std::vector<Match> matches;
  for (const ShaveLayer& layer : layers_) {
    std::vector<std::string> names;
    AddNames(model, *this, layer, names);
    const std::string what =
        names.empty()
            ? absl::StrCat("matches no layer of model '", model.name(), "'")
            : absl::StrCat("computes ", absl::StrJoin(names, ", "));
    matches.push_back(
        {absl::StrCat(layer.where, ": custom layer '", layer.name, "' ", what),
         !names.empty()});
  }
  return matches;
}

}  // namespace dovetail::vpu
