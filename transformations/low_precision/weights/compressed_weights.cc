#include "dovetail/transformations/low_precision/weights/compressed_weights.h"

#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/transformations/common/constants.h"

namespace dovetail {
namespace {

bool IsFloatConversion(const Node& node) {
  return node.Is("Convert") && IsFloat(node.input(0).type()) &&
         !IsCodeBook(node.input(0).type()) && IsFloat(node.port().type);
}

// Behind conversions from float to float, but those of codes.
Value SkipFloatConversions(Value value) {
  while (value && IsFloatConversion(*value.node)) value = value.node->input(0);
  return value;
}

bool IsCodedConstant(Value value) {
  if (ConstantOf(value) == nullptr) return false;
  const ElementType type = value.type();
  return (IsInteger(type) && BitWidth(type) <= 8) || IsCodeBook(type);
}

// Takes an operation with a constant off `value`, and gives that; the empty
// Value when it is another operation.
Value TakeOff(OpType type, Value& value, std::vector<Node*>& conversions) {
  value = SkipFloatConversions(value);
  if (!value.node->Is(type) || value.node->input_count() != 2) return {};
  Value constant = SkipFloatConversions(value.node->input(1));
  if (constant.node->Is("Convert") &&
      IsCodedConstant(constant.node->input(0))) {
    conversions.push_back(constant.node);
    constant = constant.node->input(0);
  }
  const Value data = value.node->input(0);
  if (ConstantOf(constant) == nullptr || data.shape() != value.shape()) {
    return {};
  }
  value = data;
  return constant;
}

// The extent of a constant along an axis of the tensor that it broadcasts to.
int64_t ExtentIn(Value constant, int axis, int rank) {
  if (!constant) return 1;
  const Shape& shape = ConstantOf(constant)->shape();
  const int own = axis - (rank - shape.rank());
  return own < 0 ? 1 : shape[own];
}

// Where K, or its two parts, are in the stored shape.
struct ReducedAxis {
  int axis = 0;  // the last one
  bool is_grouped = false;
};

std::optional<ReducedAxis> FindReducedAxis(const Shape& stored,
                                           const Shape& shape,
                                           bool transposed) {
  const int k = transposed ? shape.rank() - 1 : shape.rank() - 2;
  if (stored == shape) return ReducedAxis{k, false};
  if (stored.rank() != shape.rank() + 1) return std::nullopt;
  for (int i = 0; i < shape.rank(); ++i) {
    const int64_t extent = i < k    ? stored[i]
                           : i == k ? stored[k] * stored[k + 1]
                                    : stored[i + 1];
    if (extent != shape[i]) return std::nullopt;
  }
  return ReducedAxis{k + 1, true};
}

}  // namespace

bool IsCodeBook(ElementType type) {
  return type == ElementType::kNf4 || type == ElementType::kF4E2M1;
}

std::optional<Decompression> MatchDecompression(Value value) {
  Decompression found;
  value = SkipFloatConversions(value);
  if (value.node->Is("Reshape")) {
    found.is_reshaped = true;
    value = SkipFloatConversions(value.node->input(0));
  }
  found.type = value.type();
  found.scale = TakeOff("Multiply", value, found.conversions);
  found.zero_point = TakeOff("Subtract", value, found.conversions);
  value = SkipFloatConversions(value);
  if (!value.node->Is("Convert") || !IsCodedConstant(value.node->input(0))) {
    return std::nullopt;
  }
  found.conversions.push_back(value.node);
  found.constant = value.node->input(0);
  return found;
}

std::optional<CompressedWeights> MatchCompressedWeights(const Node& matmul) {
  const auto* attributes = matmul.As<MatMulAttributes>();
  if (!matmul.Is("MatMul") || attributes == nullptr ||
      ConstantOf(matmul.input(0)) != nullptr ||
      !matmul.input(1).shape().is_static() ||
      matmul.input(1).shape().rank() < 2) {
    return std::nullopt;
  }
  const auto decompression = MatchDecompression(matmul.input(1));
  if (!decompression.has_value()) return std::nullopt;
  CompressedWeights found{*decompression};
  const Shape& stored = ConstantOf(found.constant)->shape();
  const auto shape = matmul.input(1).shape().ToShape();
  if (!shape.ok()) return std::nullopt;
  const auto reduced = FindReducedAxis(stored, *shape, attributes->transpose_b);
  if (!reduced.has_value() ||
      ExtentIn(found.scale, reduced->axis, stored.rank()) != 1 ||
      ExtentIn(found.zero_point, reduced->axis, stored.rank()) != 1) {
    return std::nullopt;
  }
  found.group_size = stored[reduced->axis];
  found.is_grouped = reduced->is_grouped;
  return found;
}

Value MatchF16Weights(const Node& matmul) {
  if (!matmul.Is("MatMul") || ConstantOf(matmul.input(0)) != nullptr ||
      matmul.input(1).type() != ElementType::kF32 ||
      !matmul.input(1).node->Is("Convert")) {
    return {};
  }
  const Value constant = matmul.input(1).node->input(0);
  const Tensor* tensor = ConstantOf(constant);
  const bool found = tensor != nullptr && tensor->type() == ElementType::kF16 &&
                     tensor->rank() >= 2;
  return found ? constant : Value{};
}

}  // namespace dovetail
