#include "dovetail/core/tensor/element_access.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "dovetail/core/tensor/narrow_float.h"
#include "dovetail/core/tensor/packing.h"

namespace dovetail {
namespace {

template <typename T>
T Load(const void* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

template <typename T>
void Store(void* data, T value) {
  std::memcpy(data, &value, sizeof(T));
}

template <typename T>
void StoreRounded(void* data, double value) {
  Store<T>(data, TruncateTo<T>(std::nearbyint(value)));
}

double LoadSubByte(ElementType type, const void* data, int64_t index) {
  const uint8_t bits = LoadPacked(type, data, index);
  switch (type) {
    case ElementType::kF4E2M1: return F4E2M1BitsToFloat(bits);
    case ElementType::kNf4: return Nf4BitsToFloat(bits);
    case ElementType::kI2: return bits >= 2 ? bits - 4 : bits;
    case ElementType::kI4: return bits >= 8 ? bits - 16 : bits;
    default: return bits;
  }
}

uint8_t SubByteBits(ElementType type, double value) {
  if (type == ElementType::kF4E2M1) {
    return FloatToF4E2M1Bits(static_cast<float>(value));
  }
  if (type == ElementType::kNf4) {
    return FloatToNf4Bits(static_cast<float>(value));
  }
  const int width = BitWidth(type);
  const int lower = IsSigned(type) ? -(1 << (width - 1)) : 0;
  const int upper = (1 << (IsSigned(type) ? width - 1 : width)) - 1;
  const int rounded = TruncateTo<int>(std::nearbyint(value));
  return static_cast<uint8_t>(std::clamp(rounded, lower, upper));
}

}  // namespace

double LoadAsDouble(ElementType type, const void* data, int64_t index) {
  switch (type) {
    case ElementType::kBoolean: return Load<uint8_t>(data) != 0 ? 1 : 0;
    case ElementType::kF64: return Load<double>(data);
    case ElementType::kF32: return Load<float>(data);
    case ElementType::kF16: return F16BitsToFloat(Load<uint16_t>(data));
    case ElementType::kBf16: return Bf16BitsToFloat(Load<uint16_t>(data));
    case ElementType::kF8E4M3: return F8E4M3BitsToFloat(Load<uint8_t>(data));
    case ElementType::kF8E5M2: return F8E5M2BitsToFloat(Load<uint8_t>(data));
    case ElementType::kF8E8M0: return F8E8M0BitsToFloat(Load<uint8_t>(data));
    case ElementType::kI8: return Load<int8_t>(data);
    case ElementType::kI16: return Load<int16_t>(data);
    case ElementType::kI32: return Load<int32_t>(data);
    case ElementType::kI64: return static_cast<double>(Load<int64_t>(data));
    case ElementType::kU8: return Load<uint8_t>(data);
    case ElementType::kU16: return Load<uint16_t>(data);
    case ElementType::kU32: return Load<uint32_t>(data);
    case ElementType::kU64: return static_cast<double>(Load<uint64_t>(data));
    case ElementType::kString:
    case ElementType::kDynamic: return 0;
    default: return LoadSubByte(type, data, index);
  }
}

int64_t LoadAsInt64(ElementType type, const void* data, int64_t index) {
  if (type == ElementType::kI64) return Load<int64_t>(data);
  if (type == ElementType::kU64) {
    return static_cast<int64_t>(std::min<uint64_t>(
        Load<uint64_t>(data), std::numeric_limits<int64_t>::max()));
  }
  return TruncateTo<int64_t>(LoadAsDouble(type, data, index));
}

void StoreDouble(ElementType type, void* data, int64_t index, double value) {
  const auto narrow = static_cast<float>(value);
  switch (type) {
    case ElementType::kBoolean: return Store<uint8_t>(data, value != 0 ? 1 : 0);
    case ElementType::kF64: return Store<double>(data, value);
    case ElementType::kF32: return Store<float>(data, narrow);
    case ElementType::kF16: return Store(data, FloatToF16Bits(narrow));
    case ElementType::kBf16: return Store(data, FloatToBf16Bits(narrow));
    case ElementType::kF8E4M3: return Store(data, FloatToF8E4M3Bits(narrow));
    case ElementType::kF8E5M2: return Store(data, FloatToF8E5M2Bits(narrow));
    case ElementType::kF8E8M0: return Store(data, FloatToF8E8M0Bits(narrow));
    case ElementType::kI8: return StoreRounded<int8_t>(data, value);
    case ElementType::kI16: return StoreRounded<int16_t>(data, value);
    case ElementType::kI32: return StoreRounded<int32_t>(data, value);
    case ElementType::kI64: return StoreRounded<int64_t>(data, value);
    case ElementType::kU8: return StoreRounded<uint8_t>(data, value);
    case ElementType::kU16: return StoreRounded<uint16_t>(data, value);
    case ElementType::kU32: return StoreRounded<uint32_t>(data, value);
    case ElementType::kU64: return StoreRounded<uint64_t>(data, value);
    case ElementType::kString:
    case ElementType::kDynamic: return;
    default: return StorePacked(type, data, index, SubByteBits(type, value));
  }
}

}  // namespace dovetail
