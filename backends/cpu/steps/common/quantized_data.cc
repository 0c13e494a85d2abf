#include "dovetail/backends/cpu/steps/common/quantized_data.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/types/element_type.h"
#include "dovetail/transformations/common/movements.h"
#include "dovetail/transformations/low_precision/attention_levels.h"

namespace dovetail::cpu {
namespace {

// So many nodes are looked through.
constexpr int kFarthest = 8;

bool IsAny(const Node& node, std::initializer_list<OpType> types) {
  return std::any_of(types.begin(), types.end(),
                     [&](OpType type) { return node.Is(type); });
}

// Floats of bytes, perhaps less a zero point and times a scale. The bytes of a
// model's input are a picture, which no quantization gave.
bool IsDequantized(const Node& node) {
  const Node* of = &node;
  while (IsAny(*of, {"Multiply", "Subtract"})) of = of->input(0).node;
  if (!of->Is("Convert")) return false;
  const Value bytes = of->input(0);
  return IsInteger(bytes.type()) && BitWidth(bytes.type()) <= 8 &&
         !bytes.node->Is("Parameter");
}

bool Moves(const Node& node) {
  return IsAny(node, {"MaxPool", "AvgPool", "Transpose", "Reshape", "Squeeze",
                      "Unsqueeze", "Split", "VariadicSplit", "StridedSlice",
                      "Slice", "Pad", "DepthToSpace", "SpaceToDepth",
                      "ShuffleChannels", "Interpolate"});
}

bool IsOfQuantized(Value value, int steps) {
  const Node& node = *value.node;
  if (node.Is("FakeQuantize") || IsDequantized(node)) return true;
  if (steps == 0) return false;
  if (node.Is("Concat")) {
    const std::vector<Value>& parts = node.inputs();
    return std::all_of(parts.begin(), parts.end(), [&](Value part) {
      return IsOfQuantized(part, steps - 1);
    });
  }
  return Moves(node) && IsOfQuantized(node.input(0), steps - 1);
}

}  // namespace

bool IsOfQuantized(Value value) { return IsOfQuantized(value, kFarthest); }

bool IsOfWholeLevels(Value value) {
  while (IsMovement(*value.node)) value = value.node->input(0);
  return GivesWholeLevels(*value.node);
}

}  // namespace dovetail::cpu
