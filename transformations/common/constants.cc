#include "dovetail/transformations/common/constants.h"

#include "dovetail/core/graph/structural.h"

namespace dovetail {

const Tensor* ConstantOf(Value value) {
  const Node* node = value.node;
  if (node == nullptr || !node->Is("Constant")) return nullptr;
  const auto* constant = node->As<ConstantAttributes>();
  return constant != nullptr && constant->value.has_data() ? &constant->value
                                                           : nullptr;
}

std::optional<std::vector<int64_t>> ConstantInts(Value value) {
  const Tensor* tensor = ConstantOf(value);
  if (tensor == nullptr || !IsInteger(tensor->type())) return std::nullopt;
  return ToInt64Vector(*tensor);
}

std::optional<std::vector<int64_t>> KnownInts(Value value) {
  if (!value || !IsInteger(value.type())) return std::nullopt;
  if (auto ints = ConstantInts(value)) return ints;
  const Dimension count = value.shape().ElementCount();
  if (count == Dimension(0)) return std::vector<int64_t>();
  const std::optional<ValueRange>& range = value.port().value;
  return range.has_value() ? range->ToInt64() : std::nullopt;
}

std::optional<int64_t> KnownInt(Value value) {
  const auto ints = KnownInts(value);
  if (!ints.has_value() || ints->size() != 1) return std::nullopt;
  return ints->front();
}

std::optional<bool> KnownTruth(Value value) {
  if (!value || value.type() != ElementType::kBoolean) return std::nullopt;
  const std::optional<ValueRange>& range = value.port().value;
  if (!range.has_value() || range->size() != 1 || !range->is_exact()) {
    return std::nullopt;
  }
  return (*range)[0].lower != 0;
}

std::optional<double> ConstantNumber(Value value) {
  const Tensor* tensor = ConstantOf(value);
  if (tensor == nullptr || tensor->element_count() != 1 ||
      !(IsFloat(tensor->type()) || IsInteger(tensor->type()))) {
    return std::nullopt;
  }
  return tensor->ElementAsDouble(0);
}

}  // namespace dovetail
