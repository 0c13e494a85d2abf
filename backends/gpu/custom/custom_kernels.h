// The custom kernels that a configuration names.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_CUSTOM_KERNELS_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_CUSTOM_KERNELS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail::gpu {

inline constexpr absl::string_view kConfigFile = "CONFIG_FILE";
inline constexpr absl::string_view kConfigText = "CONFIG_TEXT";
inline constexpr absl::string_view kConfigSources = "CONFIG_SOURCES";
inline constexpr absl::string_view kGlobalKernels = "GPU_GLOBAL_CUSTOM_KERNELS";

// CONFIG_FILE and GPU_GLOBAL_CUSTOM_KERNELS: paths, whose files are read, and
// refused, when they are set. CONFIG_TEXT and CONFIG_SOURCES: such a file's
// text, and the files that it names, each refused when it is set if it is wrong
// by itself; a file that is missing is so when both are read.
std::vector<PropertySpec> CustomKernelProperties();

// Immutable.
class CustomKernels {
 public:
  // Of the files that the properties name: a file that has changed counts as
  // it is, one that has not is not read again. Those of CONFIG_TEXT go before
  // those of CONFIG_FILE, and these before those of the global file,
  // which is looked for beside the program or plugin, at
  // cldnn_global_custom_kernels/cldnn_global_custom_kernels.xml, where the
  // property is empty. Errors as of ReadCustomKernels.
  static absl::StatusOr<std::shared_ptr<const CustomKernels>> Of(
      const Config& config);

  // Those that Export has written; none where it has written none.
  static absl::StatusOr<std::shared_ptr<const CustomKernels>> Import(
      const BlobReader& blob);
  absl::Status Export(BlobWriter& blob) const;

  explicit CustomKernels(std::vector<CustomKernel> kernels);

  // The one for an operation, in any version, by its type or as an IR spells
  // that ("Relu" or "ReLU"); null: there is none.
  const CustomKernel* Find(const OpInfo& op) const;
  bool empty() const { return kernels_.empty(); }

  // All that they say: other kernels are another text. Empty without any.
  std::string Identity() const;

  // For each kernel the layers that it computes, or that there are none, as a
  // sentence with file and line.
  struct Match {
    bool is_used;
    std::string text;
  };
  std::vector<Match> MatchesIn(const Model& model) const;
  // Logs them: those without a layer as warnings.
  void LogMatches(const Model& model) const;

 private:
  std::vector<CustomKernel> All() const;

  std::map<std::string, CustomKernel> kernels_;  // by type
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_CUSTOM_KERNELS_H_
