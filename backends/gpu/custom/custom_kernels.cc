#include "dovetail/backends/gpu/custom/custom_kernels.h"

#include <dlfcn.h>

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/gpu/custom/kernel_files.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/extensions/custom_kernels/kernel_bytes.h"
#include "dovetail/extensions/custom_kernels/reader.h"

namespace dovetail::gpu {
namespace {

constexpr char kGlobalPath[] =
    "cldnn_global_custom_kernels/cldnn_global_custom_kernels.xml";

constexpr absl::string_view kSection = "custom_kernels";

using CheckKernels = absl::Status (*)(const std::string& value);

// A text that `check` takes, or that is empty.
PropertySpec KernelsProperty(absl::string_view name, const char* want,
                             CheckKernels check,
                             absl::string_view description) {
  PropertySpec spec = TextProperty(name, "", description);
  spec.check = [=](absl::string_view text) -> absl::StatusOr<std::string> {
    std::string value(text);
    const absl::Status status = value.empty() ? absl::OkStatus() : check(value);
    if (status.ok()) return value;
    return InvalidArgument("want ", want, ": ", status.message());
  };
  return spec;
}

PropertySpec FileOfKernels(absl::string_view name,
                           absl::string_view description) {
  return KernelsProperty(
      name, "a file of custom kernels",
      [](const std::string& path) { return KernelsOfFile(path).status(); },
      description);
}

// Its sources, another property, may be set behind it.
PropertySpec TextOfKernels() {
  return KernelsProperty(
      kConfigText, "custom kernels as XML",
      [](const std::string& xml) {
        return CheckCustomKernels(xml, kConfigText.data());
      },
      "What could stand in the file of CONFIG_FILE; its kernels go before "
      "those of files.");
}

PropertySpec SourcesOfKernels() {
  return KernelsProperty(
      kConfigSources, "files as XML",
      [](const std::string& xml) {
        return ParseSources(xml, kConfigSources.data()).status();
      },
      "The files that CONFIG_TEXT names, as XML: <Source "
      "filename=\"a.cl\">text</Source>, one behind the other.");
}

absl::StatusOr<std::vector<CustomKernel>> KernelsOfText(
    const std::string& text, const std::string& sources) {
  DOVETAIL_ASSIGN_OR_RETURN(const auto files,
                            ParseSources(sources, kConfigSources.data()));
  return ParseCustomKernels(text, kConfigText.data(), files);
}

// Beside the program, or the shared library, that this code is in; empty where
// there is no such file.
std::string GlobalFileBeside() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&GlobalFileBeside), &info) == 0 ||
      info.dli_fname == nullptr) {
    return "";
  }
  std::error_code error;
  const std::filesystem::path path =
      std::filesystem::path(info.dli_fname).parent_path() / kGlobalPath;
  return std::filesystem::is_regular_file(path, error) ? path.string() : "";
}

void AddLayers(const Model& model, absl::string_view type,
               std::vector<std::string>& layers) {
  for (const auto& node : model.nodes()) {
    if (node->op().type == type || node->op().ir_type == type) {
      layers.push_back(node->name());
    }
    for (const auto& body : node->bodies()) {
      AddLayers(*body->model, type, layers);
    }
  }
}

}  // namespace

std::vector<PropertySpec> CustomKernelProperties() {
  return {
      FileOfKernels(kConfigFile,
                    "An XML file of custom kernels, which go before the "
                    "device's own."),
      TextOfKernels(),
      SourcesOfKernels(),
      FileOfKernels(kGlobalKernels,
                    "The XML file of custom kernels that CONFIG_FILE adds to; "
                    "empty: the one beside the plugin, if there is one."),
  };
}

absl::StatusOr<std::shared_ptr<const CustomKernels>> CustomKernels::Of(
    const Config& config) {
  std::string global = config.GetString(kGlobalKernels);
  if (global.empty()) global = GlobalFileBeside();
  std::vector<CustomKernel> all;
  for (const std::string& path : {global, config.GetString(kConfigFile)}) {
    if (path.empty()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const auto kernels, KernelsOfFile(path));
    all.insert(all.end(), kernels->begin(), kernels->end());
  }
  const std::string text = config.GetString(kConfigText);
  if (!text.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        std::vector<CustomKernel> kernels,
        KernelsOfText(text, config.GetString(kConfigSources)));
    for (CustomKernel& kernel : kernels) all.push_back(std::move(kernel));
  }
  return std::make_shared<const CustomKernels>(std::move(all));
}

CustomKernels::CustomKernels(std::vector<CustomKernel> kernels) {
  for (CustomKernel& kernel : kernels) {
    const std::string layer = kernel.layer;
    kernels_.insert_or_assign(layer, std::move(kernel));
  }
}

const CustomKernel* CustomKernels::Find(const OpInfo& op) const {
  if (kernels_.empty()) return nullptr;
  for (const absl::string_view name : {op.type, op.ir_type}) {
    const auto it = kernels_.find(std::string(name));
    if (it != kernels_.end()) return &it->second;
  }
  return nullptr;
}

std::vector<CustomKernel> CustomKernels::All() const {
  std::vector<CustomKernel> all;
  for (const auto& [type, kernel] : kernels_) all.push_back(kernel);
  return all;
}

std::string CustomKernels::Identity() const {
  if (kernels_.empty()) return "";
  std::string all = WriteKernelBytes(All());
  for (const auto& [type, kernel] : kernels_) {
    for (const CustomSource& source : kernel.sources) {
      if (!absl::StrContains(source.text, "#include")) continue;
      // Files that only the driver finds may change: nothing is taken from a
      // cache.
      absl::StrAppend(
          &all, std::chrono::system_clock::now().time_since_epoch().count());
    }
  }
  return absl::StrCat("custom kernels ", HexHash128(all));
}

absl::Status CustomKernels::Export(BlobWriter& blob) const {
  if (kernels_.empty()) return absl::OkStatus();
  return blob.AddSection(kSection, WriteKernelBytes(All()));
}

absl::StatusOr<std::shared_ptr<const CustomKernels>> CustomKernels::Import(
    const BlobReader& blob) {
  std::vector<CustomKernel> all;
  if (blob.HasSection(kSection)) {
    DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, blob.Section(kSection));
    DOVETAIL_ASSIGN_OR_RETURN(all, ReadKernelBytes(bytes.view()));
  }
  return std::make_shared<const CustomKernels>(std::move(all));
}

std::vector<CustomKernels::Match> CustomKernels::MatchesIn(
    const Model& model) const {
  std::vector<Match> matches;
  for (const auto& [type, kernel] : kernels_) {
    std::vector<std::string> layers;
    AddLayers(model, type, layers);
    const std::string who =
        absl::StrCat(kernel.where, ": custom kernel '", type, "' ");
    matches.push_back(
        {!layers.empty(),
         layers.empty()
             ? absl::StrCat(who, "matches no layer of model '", model.name(),
                            "'")
             : absl::StrCat(who, "computes ", absl::StrJoin(layers, ", "))});
  }
  return matches;
}

void CustomKernels::LogMatches(const Model& model) const {
  for (const Match& match : MatchesIn(model)) {
    if (match.is_used) {
      DOVETAIL_LOG(kInfo, match.text);
    } else {
      DOVETAIL_LOG(kWarning, match.text);
    }
  }
}

}  // namespace dovetail::gpu
