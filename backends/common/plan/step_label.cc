#include "dovetail/backends/common/plan/step_label.h"

#include "absl/strings/str_cat.h"

namespace dovetail {

std::string ReferenceKernelName(const Node& node) {
  return absl::StrCat("reference_", ElementTypeName(node.port().type));
}

StepLabel ReferenceLabel(const Node& node) {
  return {node.name(), std::string(node.op().type), ReferenceKernelName(node)};
}

}  // namespace dovetail
