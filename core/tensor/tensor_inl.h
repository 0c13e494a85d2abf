// Templates of tensor.h; include that instead.
#ifndef DOVETAIL_CORE_TENSOR_TENSOR_INL_H_
#define DOVETAIL_CORE_TENSOR_TENSOR_INL_H_

#include <algorithm>
#include <type_traits>

#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail {

template <typename T>
constexpr ElementType ElementTypeOf() {
  if constexpr (std::is_same_v<T, float>) return ElementType::kF32;
  if constexpr (std::is_same_v<T, double>) return ElementType::kF64;
  if constexpr (std::is_same_v<T, Float16>) return ElementType::kF16;
  if constexpr (std::is_same_v<T, BFloat16>) return ElementType::kBf16;
  if constexpr (std::is_same_v<T, Float8E4M3>) return ElementType::kF8E4M3;
  if constexpr (std::is_same_v<T, Float8E5M2>) return ElementType::kF8E5M2;
  if constexpr (std::is_same_v<T, Float8E8M0>) return ElementType::kF8E8M0;
  if constexpr (std::is_same_v<T, bool>) return ElementType::kBoolean;
  if constexpr (std::is_same_v<T, int8_t>) return ElementType::kI8;
  if constexpr (std::is_same_v<T, int16_t>) return ElementType::kI16;
  if constexpr (std::is_same_v<T, int32_t>) return ElementType::kI32;
  if constexpr (std::is_same_v<T, int64_t>) return ElementType::kI64;
  if constexpr (std::is_same_v<T, uint8_t>) return ElementType::kU8;
  if constexpr (std::is_same_v<T, uint16_t>) return ElementType::kU16;
  if constexpr (std::is_same_v<T, uint32_t>) return ElementType::kU32;
  if constexpr (std::is_same_v<T, uint64_t>) return ElementType::kU64;
  if constexpr (std::is_same_v<T, std::string>) return ElementType::kString;
  return ElementType::kDynamic;
}

template <typename T>
absl::StatusOr<Tensor> Tensor::FromValues(const Shape& shape,
                                          absl::Span<const T> values) {
  static_assert(ElementTypeOf<T>() != ElementType::kDynamic,
                "T is no element type");
  absl::StatusOr<Tensor> tensor = Allocate(ElementTypeOf<T>(), shape);
  if (!tensor.ok()) return tensor;
  if (tensor->element_count() != static_cast<int64_t>(values.size())) {
    return absl::InvalidArgumentError(
        "the number of values is not that of shape " + shape.ToString());
  }
  std::copy(values.begin(), values.end(), tensor->mutable_data<T>());
  return tensor;
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_TENSOR_INL_H_
