#include "dovetail/transformations/fusion/movement/elementwise.h"

#include <algorithm>
#include <array>

#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

constexpr std::array<absl::string_view, 26> kUnary = {
    "Abs",      "Ceiling", "Clamp", "Convert",  "Cos",       "Elu", "Erf",
    "Exp",      "Floor",   "Gelu",  "HSigmoid", "HSwish",    "Log", "Mish",
    "Negative", "Relu",    "Round", "Sigmoid",  "Sign",      "Sin", "SoftPlus",
    "SoftSign", "Sqrt",    "Swish", "Tanh",     "LogicalNot"};

constexpr std::array<absl::string_view, 8> kBinary = {
    "Add",      "Divide", "Maximum",           "Minimum",
    "Multiply", "Power",  "SquaredDifference", "Subtract"};

}  // namespace

bool IsUnaryElementwise(const Node& node) {
  return node.op().custom_opset.empty() &&
         std::find(kUnary.begin(), kUnary.end(), node.op().type) !=
             kUnary.end();
}

bool IsBinaryElementwise(const Node& node) {
  return node.op().custom_opset.empty() &&
         std::find(kBinary.begin(), kBinary.end(), node.op().type) !=
             kBinary.end() &&
         node.input_count() == 2 && BroadcastsAsNumpy(node);
}

}  // namespace dovetail
