#include "dovetail/transformations/low_precision/analysis/transparent.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "dovetail/transformations/common/attribute_list.h"
#include "dovetail/transformations/common/constants.h"

namespace dovetail {
namespace {

// Those that move elements and add none.
constexpr absl::string_view kMovements[] = {
    "DepthToSpace",
    "Gather",
    "Reshape",
    "Reverse",
    "ReverseSequence",
    "Roll",
    "ShuffleChannels",
    "Slice",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "StridedSlice",
    "Tile",
    "Transpose",
    "Unsqueeze",
    "VariadicSplit",
};

template <typename T>
const T* FindAttribute(const AttributeList& list, absl::string_view name) {
  for (const auto& [key, value] : list) {
    if (key == name) return std::get_if<T>(&value);
  }
  return nullptr;
}

bool AllZero(const std::vector<int64_t>* numbers) {
  return numbers == nullptr || std::all_of(numbers->begin(), numbers->end(),
                                           [](int64_t x) { return x == 0; });
}

// Copies elements and pads with none of its own.
bool IsNearest(const Node& interpolate) {
  const AttributeList list = ListAttributes(interpolate.attributes());
  const auto* mode = FindAttribute<std::string>(list, "mode");
  return interpolate.op().version >= 4 && mode != nullptr &&
         *mode == "nearest" &&
         AllZero(FindAttribute<std::vector<int64_t>>(list, "pads_begin")) &&
         AllZero(FindAttribute<std::vector<int64_t>>(list, "pads_end"));
}

// What Pad puts in, as an integer; nothing when that is not representable.
std::optional<double> PaddingIsRepresentable(const Node& pad,
                                             const QuantizationParams& params) {
  double number = 0;
  if (pad.input_count() > 3) {
    const auto known = ConstantNumber(pad.input(3));
    if (!known.has_value()) return std::nullopt;
    number = *known;
  }
  const double exact = number / params.scale[0] + params.zero_point[0];
  const double nearest = std::nearbyint(exact);
  const double low = params.type == ElementType::kU8 ? 0 : -128;
  if (!(std::abs(exact - nearest) <= kZeroPointTolerance) || nearest < low ||
      nearest > low + 255) {
    return std::nullopt;
  }
  return nearest;
}

bool PadsWithScalar(const Node& pad) {
  const AttributeList list = ListAttributes(pad.attributes());
  const auto* mode = FindAttribute<std::string>(list, "pad_mode");
  return mode != nullptr && *mode == "constant";
}

bool IsMovement(const Node& node) {
  return std::find(std::begin(kMovements), std::end(kMovements),
                   node.op().type) != std::end(kMovements);
}

}  // namespace

int TransparentInputs(const Node& node) {
  if (!node.op().custom_opset.empty()) return 0;
  if (node.Is("Concat")) return node.input_count();
  const bool is_transparent = IsMovement(node) || node.Is("MaxPool") ||
                              node.Is("Relu") || node.Is("Pad") ||
                              (node.Is("Interpolate") && IsNearest(node));
  return is_transparent && node.input_count() > 0 ? 1 : 0;
}

bool IsTransparentOutput(const Node& node, int output) {
  return output == 0 || !node.Is("MaxPool");
}

bool KeepsParams(const Node& node, const QuantizationParams& params) {
  if (node.Is("Relu")) return IsSymmetric(params);
  if (node.Is("MaxPool")) return true;
  if (params.is_per_channel()) return false;
  return !node.Is("Pad") || !PadsWithScalar(node) ||
         PaddingIsRepresentable(node, params).has_value();
}

std::vector<Value> MakeOfIntegers(NodeBuilder& b,
                                  const std::vector<Value>& integers,
                                  const QuantizationParams& params) {
  const Node& node = b.node();
  // Nothing is below a zero point of 0 in u8.
  if (node.Is("Relu") && params.type == ElementType::kU8) return integers;
  std::vector<Value> inputs = node.inputs();
  std::copy(integers.begin(), integers.end(), inputs.begin());
  if (node.Is("Pad") && PadsWithScalar(node)) {
    const double padding = PaddingIsRepresentable(node, params).value_or(0);
    inputs.resize(3);
    inputs.push_back(b.Number(params.type, padding));
  }
  return b.MakeAll(node.op(), inputs, node.attributes().Clone());
}

}  // namespace dovetail
