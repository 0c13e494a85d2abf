#include "dovetail/extensions/ir/reader.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/extensions/ir/reader/constants.h"
#include "dovetail/extensions/ir/reader/document.h"
#include "dovetail/extensions/ir/reader/graph_reader.h"
#include "dovetail/extensions/ir/reader/legacy/legacy_ports.h"
#include "dovetail/extensions/ir/reader/legacy/preprocess.h"
#include "dovetail/extensions/ir/reader/names.h"
#include "dovetail/extensions/ir/reader/rt_info.h"

namespace dovetail {
namespace {

absl::StatusOr<int> ReadVersion(pugi::xml_node net) {
  if (absl::string_view(net.name()) != "net") {
    return InvalidArgument("the root is <", net.name(), ">, that of an IR is ",
                           "<net>");
  }
  absl::StatusOr<int64_t> version = ir::RequireInt(net, "version");
  if (!version.ok()) return version.status();
  if (*version == 10 || *version == 11) return static_cast<int>(*version);
  if (*version < 10) {
    return InvalidArgument("attribute 'version' of <net>: version ", *version,
                           " has other layers than the readable versions 10 ",
                           "and 11; convert the original model anew");
  }
  return InvalidArgument("attribute 'version' of <net>: version ", *version,
                         " is unknown; 10 and 11 can be read");
}

absl::StatusOr<std::unique_ptr<Model>> ReadNet(pugi::xml_node net,
                                               ir::Weights* weights,
                                               const ReadOptions& options) {
  DOVETAIL_ASSIGN_OR_RETURN(const int version, ReadVersion(net));
  ir::GraphReader reader(options, version, weights);
  DOVETAIL_ASSIGN_OR_RETURN(ir::Graph graph, reader.Read(net));
  std::unique_ptr<Model> model = std::move(graph.model);
  DOVETAIL_RETURN_IF_ERROR(ir::AddPreProcessing(net, weights, model.get()));
  if (version == 10) {
    DOVETAIL_RETURN_IF_ERROR(ir::AddLayerNamesAsTensorNames(model.get()));
    DOVETAIL_RETURN_IF_ERROR(ir::UseLegacyPortTypes(model.get()));
  }
  DOVETAIL_RETURN_IF_ERROR(
      ir::ReadModelRtInfo(net, options.limits, &model->rt_info()));
  return model;
}

absl::StatusOr<std::unique_ptr<Model>> ReadText(absl::string_view xml,
                                                ir::Weights* weights,
                                                const ReadOptions& options) {
  const int64_t size = static_cast<int64_t>(xml.size());
  if (size > options.limits.max_xml_bytes) {
    return InvalidArgument("the XML has ", size, " bytes, the limit is ",
                           options.limits.max_xml_bytes);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const auto document,
                            ir::Document::Parse(std::string(xml)));
  return ReadNet(document->root(), weights, options);
}

// The given weights, or those beside the model, of which there need be none.
absl::StatusOr<ir::Weights> OpenWeights(const std::string& path,
                                        const ReadOptions& options) {
  std::string bin = options.weights_path;
  if (bin.empty()) {
    bin = DefaultWeightsPath(path);
    std::error_code ignored;
    if (!std::filesystem::exists(bin, ignored)) {
      return ir::Weights(absl::StrCat("and there is no file ", bin));
    }
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::shared_ptr<const MappedFile> file,
      options.map_weights ? MappedFile::Open(bin) : MappedFile::Read(bin));
  return ir::Weights(file->data(), file->size(), file);
}

// What is left after white space, a byte order mark, the declaration, comments
// and a DOCTYPE.
absl::string_view SkipProlog(absl::string_view text) {
  absl::ConsumePrefix(&text, "\xef\xbb\xbf");
  while (true) {
    text.remove_prefix(
        std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    absl::string_view end;
    if (absl::StartsWith(text, "<?")) {
      end = "?>";
    } else if (absl::StartsWith(text, "<!--")) {
      end = "-->";
    } else if (absl::StartsWith(text, "<!")) {
      end = ">";
    } else {
      return text;
    }
    const size_t found = text.find(end);
    if (found == absl::string_view::npos) return "";
    text.remove_prefix(found + end.size());
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Model>> ReadIr(const std::string& path,
                                              const ReadOptions& options) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  DOVETAIL_ASSIGN_OR_RETURN(ir::Weights weights, OpenWeights(path, options));
  const absl::string_view xml(static_cast<const char*>(file->data()),
                              static_cast<size_t>(file->size()));
  auto model = ReadText(xml, &weights, options);
  if (!model.ok()) return Annotate(model.status(), path);
  return model;
}

absl::StatusOr<std::unique_ptr<Model>> ReadIrFromMemory(
    absl::string_view xml, const Tensor& weights, const ReadOptions& options) {
  if (!weights.has_data()) {
    ir::Weights none("and none were given");
    return ReadText(xml, &none, options);
  }
  if (weights.type() != ElementType::kU8 || !weights.is_contiguous()) {
    return InvalidArgument("weights must be a contiguous tensor of u8, not ",
                           ElementTypeName(weights.type()),
                           weights.shape().ToString());
  }
  ir::Weights view(weights.raw_data(), weights.byte_size(),
                   std::make_shared<const Tensor>(weights));
  return ReadText(xml, &view, options);
}

std::string DefaultWeightsPath(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".bin").string();
}

bool LooksLikeIr(absl::string_view first_bytes) {
  absl::string_view text = SkipProlog(first_bytes.substr(0, 512));
  return absl::ConsumePrefix(&text, "<net") && !text.empty() &&
         absl::StrContains(" \t\r\n/>", text.substr(0, 1));
}

}  // namespace dovetail
