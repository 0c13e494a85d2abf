// Single elements of any numeric type as numbers, read from and written to the
// memory of a tensor.
#ifndef DOVETAIL_CORE_TENSOR_ELEMENT_ACCESS_H_
#define DOVETAIL_CORE_TENSOR_ELEMENT_ACCESS_H_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "dovetail/core/tensor/element_type.h"

namespace dovetail {

// Element of `type` at `data`; sub-byte types: element number `index` of the
// packed bytes at `data`, other types: the element at `data` itself.
double LoadAsDouble(ElementType type, const void* data, int64_t index);
int64_t LoadAsInt64(ElementType type, const void* data, int64_t index);
// Stores a number: integers are rounded to nearest even and saturate, boolean
// is `!= 0`, NaN is 0 as an integer.
void StoreDouble(ElementType type, void* data, int64_t index, double value);

// A floating-point number as an integer without undefined behaviour: the
// fraction is cut off, what is out of range becomes the nearest limit, NaN 0.
template <typename T, typename F>
T TruncateTo(F value) {
  static_assert(std::is_integral_v<T> && std::is_floating_point_v<F>);
  if (value != value) return 0;
  // Both bounds are powers of two (or 0), so exact in F.
  constexpr F kUpper = static_cast<F>(2) *
                       static_cast<F>(std::numeric_limits<T>::max() / 2 + 1);
  constexpr F kLower = static_cast<F>(std::numeric_limits<T>::min());
  if (value >= kUpper) return std::numeric_limits<T>::max();
  if (value <= kLower) return std::numeric_limits<T>::min();
  return static_cast<T>(value);
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_ELEMENT_ACCESS_H_
