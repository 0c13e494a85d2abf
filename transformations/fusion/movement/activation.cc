#include <algorithm>
#include <array>
#include <vector>

#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/common/movements.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/movement/rules.h"

namespace dovetail {
namespace {

constexpr size_t kMaxMovements = 4;

bool IsLinear(const Node& node) {
  constexpr std::array<absl::string_view, 5> kLinear = {
      "Convolution", "ConvolutionBackpropData", "GroupConvolution",
      "GroupConvolutionBackpropData", "MatMul"};
  return node.op().custom_opset.empty() &&
         std::find(kLinear.begin(), kLinear.end(), node.op().type) !=
             kLinear.end();
}

// Sums of a linear operation, perhaps with a bias, that nobody else reads.
bool IsSum(Value value) {
  if (!IsReadOnce(value)) return false;
  const Node& node = *value.node;
  if (!node.Is("Add")) return IsLinear(node);
  return ConstantOf(node.input(1)) != nullptr && IsReadOnce(node.input(0)) &&
         IsLinear(*node.input(0).node);
}

Replacement ActivateBefore(NodeBuilder& b, const Node& node) {
  std::vector<const Node*> movements;
  Value value = node.input(0);
  while (movements.size() < kMaxMovements && IsMovement(*value.node) &&
         IsReadOnce(value)) {
    movements.push_back(value.node);
    value = value.node->input(0);
  }
  if (movements.empty() || !IsSum(value)) return {};
  std::vector<Value> inputs = node.inputs();
  inputs[0] = value;
  Value moved = CloneWith(b, node, inputs);
  std::reverse(movements.begin(), movements.end());
  for (const Node* const movement : movements) {
    inputs = movement->inputs();
    inputs[0] = moved;
    moved = CloneWith(b, *movement, inputs);
  }
  return {moved};
}

constexpr char kName[] = "activation of sums that are moved";

constexpr NodeRule kRules[] = {
    {"Clamp", NodeRule::kAnyVersion, kName, &ActivateBefore},
    {"Elu", NodeRule::kAnyVersion, kName, &ActivateBefore},
    {"Gelu", NodeRule::kAnyVersion, kName, &ActivateBefore},
    {"HSigmoid", NodeRule::kAnyVersion, kName, &ActivateBefore},
    {"HSwish", NodeRule::kAnyVersion, kName, &ActivateBefore},
    {"Mish", NodeRule::kAnyVersion, kName, &ActivateBefore},
    {"Relu", NodeRule::kAnyVersion, kName, &ActivateBefore},
    {"Sigmoid", NodeRule::kAnyVersion, kName, &ActivateBefore},
    {"SoftPlus", NodeRule::kAnyVersion, kName, &ActivateBefore},
    {"Swish", NodeRule::kAnyVersion, kName, &ActivateBefore},
    {"Tanh", NodeRule::kAnyVersion, kName, &ActivateBefore},
};

}  // namespace

absl::Span<const NodeRule> ActivationMovements() { return kRules; }

}  // namespace dovetail
