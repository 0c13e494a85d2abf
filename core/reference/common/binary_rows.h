// Kernels that compute each element of output 0 from one element of input 0
// and one of input 1, with broadcasting. A kernel is a function that computes
// a row; everything around it is compiled once.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_BINARY_ROWS_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_BINARY_ROWS_H_

#include <cstdint>
#include <type_traits>

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// Computes `count` elements of `out`. An input that does not step gives its
// first element to all of them.
using BinaryRowFn = void (*)(const void* a, const void* b, void* out,
                             int64_t count, bool a_steps, bool b_steps);

// The row of a function object F: out = F()(a, b), from T to R.
template <typename F, typename T, typename R = T>
void BinaryRow(const void* a, const void* b, void* out, int64_t count,
               bool a_steps, bool b_steps) {
  const F f;
  const T* x = static_cast<const T*>(a);
  const T* y = static_cast<const T*>(b);
  R* z = static_cast<R*>(out);
  if (a_steps && b_steps) {
    for (int64_t i = 0; i < count; ++i) z[i] = static_cast<R>(f(x[i], y[i]));
  } else if (a_steps) {
    const T v = *y;
    for (int64_t i = 0; i < count; ++i) z[i] = static_cast<R>(f(x[i], v));
  } else if (b_steps) {
    const T v = *x;
    for (int64_t i = 0; i < count; ++i) z[i] = static_cast<R>(f(v, y[i]));
  } else {
    const R v = static_cast<R>(f(*x, *y));
    for (int64_t i = 0; i < count; ++i) z[i] = v;
  }
}

// Rows by element type; null where there is none. Half precision is computed as
// f32.
template <typename F, typename R = void>
BinaryRowFn FloatRow(ElementType type) {
  const auto row = [](auto value) -> BinaryRowFn {
    using T = decltype(value);
    return &BinaryRow<F, T, std::conditional_t<std::is_void_v<R>, T, R>>;
  };
  switch (type) {
    case ElementType::kF16:
    case ElementType::kBf16:
    case ElementType::kF32: return row(float{});
    case ElementType::kF64: return row(double{});
    default: return nullptr;
  }
}

template <typename F, typename R = void>
BinaryRowFn IntegerRow(ElementType type) {
  const auto row = [](auto value) -> BinaryRowFn {
    using T = decltype(value);
    return &BinaryRow<F, T, std::conditional_t<std::is_void_v<R>, T, R>>;
  };
  switch (type) {
    case ElementType::kI8: return row(int8_t{});
    case ElementType::kI16: return row(int16_t{});
    case ElementType::kI32: return row(int32_t{});
    case ElementType::kI64: return row(int64_t{});
    case ElementType::kU8: return row(uint8_t{});
    case ElementType::kU16: return row(uint16_t{});
    case ElementType::kU32: return row(uint32_t{});
    case ElementType::kU64: return row(uint64_t{});
    default: return nullptr;
  }
}

// For functions that do not care for the sign: the unsigned integer of the
// same width. Overflow wraps, as it does for the signed ones in practice.
template <typename F>
BinaryRowFn ModularRow(ElementType type) {
  if (!IsInteger(type)) return nullptr;
  switch (BitWidth(type)) {
    case 8: return &BinaryRow<F, uint8_t>;
    case 16: return &BinaryRow<F, uint16_t>;
    case 32: return &BinaryRow<F, uint32_t>;
    case 64: return &BinaryRow<F, uint64_t>;
    default: return nullptr;
  }
}

// How input 1 (and 0) lies in the output: by the last axis, or by the first.
enum class Alignment { kLast, kFirst };

// Runs `row`, which is for the type of input 0, over all rows of output 0;
// `cost` is that of an element, as for ParallelLoop. kUnimplemented when `row`
// is null. `shape_b` stands in for the shape of input 1.
absl::Status RunBinaryRows(KernelContext& context, Alignment alignment,
                           BinaryRowFn row, int64_t cost,
                           const Shape& shape_b);
absl::Status RunBinaryRows(KernelContext& context, Alignment alignment,
                           BinaryRowFn row, int64_t cost);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_BINARY_ROWS_H_
