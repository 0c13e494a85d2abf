// What names in a custom kernel's configuration stand for, of one node.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_NAMES_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_NAMES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail::gpu {

// All shapes of the node are static. It and the kernel outlive this.
class CustomNames {
 public:
  // B, F, Y and X are the first four sizes of output 0, or the last four of the
  // input that <WorkSizes> names; 1 where there are fewer. kInvalidArgument for
  // an input that the node does not have.
  static absl::StatusOr<CustomNames> Of(const CustomKernel& kernel,
                                        const Node& node);

  // The value of an expression: B, INPUT0_DIMS[1], a <Define> of an integer.
  // Errors as of EvaluateSizeExpression.
  absl::StatusOr<int64_t> Evaluate(absl::string_view text) const;
  // The bytes of a scalar, in its type. kInvalidArgument for a text that is no
  // such number, or a list that has no such element.
  absl::StatusOr<std::string> BytesOf(const CustomScalar& scalar) const;

 private:
  CustomNames(const CustomKernel& kernel, const Node& node)
      : kernel_(kernel), node_(node) {}
  std::optional<int64_t> Find(absl::string_view name, int64_t index) const;
  std::optional<int64_t> FindDefine(absl::string_view name) const;
  absl::StatusOr<std::string> TextOf(const CustomScalar& scalar) const;

  const CustomKernel& kernel_;
  const Node& node_;
  int64_t sizes_[4] = {1, 1, 1, 1};
  std::map<std::string, std::string> attributes_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_NAMES_H_
