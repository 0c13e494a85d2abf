// The custom kernels that a configuration names.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_CUSTOM_KERNELS_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_CUSTOM_KERNELS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail::gpu {

inline constexpr absl::string_view kConfigFile = "CONFIG_FILE";
inline constexpr absl::string_view kGlobalKernels = "GPU_GLOBAL_CUSTOM_KERNELS";

// CONFIG_FILE and GPU_GLOBAL_CUSTOM_KERNELS: paths, whose files are read, and
// refused, when they are set.
std::vector<PropertySpec> CustomKernelProperties();

// Immutable.
class CustomKernels {
 public:
  // Of the files that the properties name, read now: a file that has changed
  // counts as it is. Those of CONFIG_FILE go before those of the global file,
  // which is looked for beside the program or plugin, at
  // cldnn_global_custom_kernels/cldnn_global_custom_kernels.xml, where the
  // property is empty. Errors as of ReadCustomKernels.
  static absl::StatusOr<std::shared_ptr<const CustomKernels>> Of(
      const Config& config);

  explicit CustomKernels(std::vector<CustomKernel> kernels);

  // The one for an operation, in any version, by its type or as an IR spells
  // that ("Relu" or "ReLU"); null: there is none.
  const CustomKernel* Find(const OpInfo& op) const;
  bool empty() const { return kernels_.empty(); }

  // All that they say: other kernels are another text. Empty without any.
  std::string Identity() const;

  // Logs, for each kernel, the layers that it computes, or that there are none.
  void LogMatches(const Model& model) const;

 private:
  std::map<std::string, CustomKernel> kernels_;  // by type
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_CUSTOM_KERNELS_H_
