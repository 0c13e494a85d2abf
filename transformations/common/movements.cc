#include "dovetail/transformations/common/movements.h"

namespace dovetail {

bool IsReshape(const Node& node) {
  return node.Is("Reshape") || node.Is("Squeeze") || node.Is("Unsqueeze");
}

bool IsMovement(const Node& node) {
  return IsReshape(node) || node.Is("Transpose");
}

}  // namespace dovetail
