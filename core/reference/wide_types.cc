#include "dovetail/core/reference/wide_types.h"

#include <algorithm>
#include <cmath>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

ElementType WiderType(ElementType type) {
  if (type == ElementType::kBoolean) return ElementType::kU8;
  if (IsFloat(type) && BitWidth(type) <= 8) return ElementType::kF32;
  if (!IsSubByte(type)) return type;
  return IsSigned(type) ? ElementType::kI8 : ElementType::kU8;
}

ElementType FloatFor(ElementType type) {
  if (!IsInteger(type)) return type;
  return BitWidth(type) < 32 ? ElementType::kF32 : ElementType::kF64;
}

absl::StatusOr<std::vector<Tensor>> WithTypes(absl::Span<const Tensor> tensors,
                                              ChangeType change,
                                              ElementType of) {
  std::vector<Tensor> changed(tensors.begin(), tensors.end());
  for (Tensor& tensor : changed) {
    if (of != ElementType::kDynamic && tensor.type() != of) continue;
    const ElementType type = change(tensor.type());
    if (type == tensor.type()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(tensor, ConvertTensor(tensor, type));
  }
  return changed;
}

namespace {

template <typename T>
void RoundAll(Tensor& tensor) {
  for (T& element : tensor.mutable_span<T>()) element = std::nearbyint(element);
}

// Floats that stand for integers: ties go to the even one.
void Round(Tensor& tensor) {
  if (tensor.type() == ElementType::kF32) RoundAll<float>(tensor);
  if (tensor.type() == ElementType::kF64) RoundAll<double>(tensor);
}

}  // namespace

absl::Status NarrowOutputs(const std::vector<InferredOutput>& inferred,
                           std::vector<Tensor>& outputs) {
  for (size_t i = 0; i < std::min(outputs.size(), inferred.size()); ++i) {
    const ElementType type = inferred[i].type;
    if (type == ElementType::kDynamic || type == outputs[i].type()) continue;
    if (IsInteger(type)) Round(outputs[i]);
    DOVETAIL_ASSIGN_OR_RETURN(outputs[i], ConvertTensor(outputs[i], type));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
