#include "dovetail/backends/gpu/custom/custom_kernels.h"

#include <dlfcn.h>

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/extensions/custom_kernels/reader.h"

namespace dovetail::gpu {
namespace {

constexpr char kGlobalPath[] =
    "cldnn_global_custom_kernels/cldnn_global_custom_kernels.xml";

PropertySpec FileOfKernels(absl::string_view name,
                           absl::string_view description) {
  PropertySpec spec = TextProperty(name, "", description);
  spec.check = [](absl::string_view path) -> absl::StatusOr<std::string> {
    if (!path.empty()) {
      const auto kernels = ReadCustomKernels(std::string(path));
      if (!kernels.ok()) {
        return InvalidArgument("want a file of custom kernels: ",
                               kernels.status().message());
      }
    }
    return std::string(path);
  };
  return spec;
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
    DOVETAIL_ASSIGN_OR_RETURN(std::vector<CustomKernel> kernels,
                              ReadCustomKernels(path));
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

std::string CustomKernels::Identity() const {
  std::string all;
  const auto add = [&](absl::string_view text) {
    absl::StrAppend(&all, text.size(), ":", text, ";");
  };
  for (const auto& [type, kernel] : kernels_) {
    for (const std::string& text :
         {type, kernel.entry, kernel.compiler_options,
          absl::StrJoin(kernel.work_sizes.global, ","),
          absl::StrJoin(kernel.work_sizes.local, ","),
          absl::StrCat(kernel.work_sizes.input)}) {
      add(text);
    }
    for (const CustomSource& source : kernel.sources) {
      add(source.name);
      add(source.text);
      // Files that it includes may change: nothing is taken from a cache.
      if (absl::StrContains(source.text, "#include")) {
        add(absl::StrCat(
            std::chrono::system_clock::now().time_since_epoch().count()));
      }
    }
    for (const CustomDefine& define : kernel.defines) {
      for (const std::string& text :
           {define.name, define.param, define.fallback, define.type}) {
        add(text);
      }
    }
    for (const CustomTensor& tensor : kernel.tensors) {
      add(absl::StrCat(static_cast<int>(tensor.kind), ",", tensor.arg_index,
                       ",", tensor.port_index, ",",
                       static_cast<int>(tensor.format)));
    }
  }
  return all.empty() ? "" : absl::StrCat("custom kernels ", HexHash128(all));
}

void CustomKernels::LogMatches(const Model& model) const {
  for (const auto& [type, kernel] : kernels_) {
    std::vector<std::string> layers;
    AddLayers(model, type, layers);
    if (layers.empty()) {
      DOVETAIL_LOG(kWarning, kernel.where, ": custom kernel '", type,
                   "' matches no layer of model '", model.name(), "'");
    } else {
      DOVETAIL_LOG(kInfo, kernel.where, ": custom kernel '", type,
                   "' computes ", absl::StrJoin(layers, ", "));
    }
  }
}

}  // namespace dovetail::gpu
