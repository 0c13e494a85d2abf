// Conversions one element at a time, for types that are rare.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_CONVERT_SCALAR_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_CONVERT_SCALAR_H_

#include <cstring>

#include "dovetail/backends/cpu/kernels/common/convert.h"
#include "dovetail/core/tensor/types/element_cast.h"
#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail::cpu {

// Boolean as bytes: any but 0 is true.
struct BooleanByte {
  uint8_t byte = 0;

  BooleanByte() = default;
  explicit BooleanByte(float number) : byte(number != 0) {}
  operator float() const { return byte != 0; }  // NOLINT: reads as float
};

template <typename T>
T FromFloat(float number) {
  if constexpr (std::is_arithmetic_v<T>)
    return CastElement<T>(number);
  else
    return T(number);
}

// Calls f(T()) with the type of elements; false if there is none.
template <typename F>
bool DispatchConvertible(ElementType type, F f) {
  switch (type) {
    case ElementType::kBoolean:
      return f(BooleanByte()), true;
    case ElementType::kBf16:
      return f(BFloat16()), true;
    case ElementType::kF16:
      return f(Float16()), true;
    case ElementType::kF32:
      return f(float()), true;
    case ElementType::kF64:
      return f(double()), true;
    case ElementType::kI8:
      return f(int8_t()), true;
    case ElementType::kI16:
      return f(int16_t()), true;
    case ElementType::kI32:
      return f(int32_t()), true;
    case ElementType::kI64:
      return f(int64_t()), true;
    case ElementType::kU8:
      return f(uint8_t()), true;
    case ElementType::kU16:
      return f(uint16_t()), true;
    case ElementType::kU32:
      return f(uint32_t()), true;
    case ElementType::kU64:
      return f(uint64_t()), true;
    default:
      return false;
  }
}

template <typename T>
void LoadEach(const void* from, int64_t stride, float* to, size_t count) {
  const char* at = static_cast<const char*>(from);
  for (size_t i = 0; i < count; ++i, at += stride * int64_t{sizeof(T)}) {
    T element;
    std::memcpy(&element, at, sizeof(T));
    to[i] = static_cast<float>(element);
  }
}

template <typename T>
void StoreEach(const float* from, void* to, int64_t stride, size_t count) {
  char* at = static_cast<char*>(to);
  for (size_t i = 0; i < count; ++i, at += stride * int64_t{sizeof(T)}) {
    const T element = FromFloat<T>(from[i]);
    std::memcpy(at, &element, sizeof(T));
  }
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_CONVERT_SCALAR_H_
