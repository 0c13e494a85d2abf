#include "dovetail/backends/common/plan/step_label.h"

#include "absl/strings/str_cat.h"

namespace dovetail {

std::string HostKernelName(const Node& node, FindKernelFn find_kernel) {
  const bool is_own =
      find_kernel != nullptr && find_kernel(node.op()) != nullptr;
  return absl::StrCat(is_own ? "host_" : "reference_",
                      ElementTypeName(node.port().type));
}

StepLabel HostLabel(const Node& node, FindKernelFn find_kernel) {
  return {node.name(), std::string(node.op().type),
          HostKernelName(node, find_kernel)};
}

}  // namespace dovetail
