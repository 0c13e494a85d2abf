#include "dovetail/core/tensor/types/element_io.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <type_traits>

#include "dovetail/core/tensor/types/element_cast.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "dovetail/core/tensor/types/packing.h"

namespace dovetail {
namespace {

template <typename T>
struct Tag {
  using Type = T;
};

// Calls `visit` with the Tag of the C++ type; for types of whole bytes but
// boolean, which is read as a byte that is 0 or not.
template <typename Visit>
void VisitWholeBytes(ElementType type, Visit visit) {
  switch (type) {
    case ElementType::kBf16: return visit(Tag<BFloat16>());
    case ElementType::kF16: return visit(Tag<Float16>());
    case ElementType::kF32: return visit(Tag<float>());
    case ElementType::kF64: return visit(Tag<double>());
    case ElementType::kF8E4M3: return visit(Tag<Float8E4M3>());
    case ElementType::kF8E5M2: return visit(Tag<Float8E5M2>());
    case ElementType::kF8E8M0: return visit(Tag<Float8E8M0>());
    case ElementType::kI8: return visit(Tag<int8_t>());
    case ElementType::kI16: return visit(Tag<int16_t>());
    case ElementType::kI32: return visit(Tag<int32_t>());
    case ElementType::kI64: return visit(Tag<int64_t>());
    case ElementType::kU8: return visit(Tag<uint8_t>());
    case ElementType::kU16: return visit(Tag<uint16_t>());
    case ElementType::kU32: return visit(Tag<uint32_t>());
    case ElementType::kU64: return visit(Tag<uint64_t>());
    default: return;
  }
}

template <typename Number>
Number NumberOfBits(ElementType type, uint8_t bits) {
  switch (type) {
    case ElementType::kNf4:
      return CastElement<Number>(Nf4BitsToFloat(bits));
    case ElementType::kF4E2M1:
      return CastElement<Number>(F4E2M1BitsToFloat(bits));
    default:
      return CastElement<Number>(PackedBitsToInt(type, bits));
  }
}

template <typename Number>
uint8_t BitsOfNumber(ElementType type, Number number) {
  switch (type) {
    case ElementType::kNf4:
      return FloatToNf4Bits(static_cast<float>(number));
    case ElementType::kF4E2M1:
      return FloatToF4E2M1Bits(static_cast<float>(number));
    default:
      return CastElement<uint8_t>(number);
  }
}

// Bits on their way between packed elements and numbers.
constexpr size_t kChunk = 256;

template <typename Number>
void LoadBits(ElementType type, const void* data, int64_t begin,
                absl::Span<Number> out) {
  uint8_t bits[kChunk];
  while (!out.empty()) {
    const size_t count = std::min(kChunk, out.size());
    Unpack(type, data, begin, absl::MakeSpan(bits, count));
    for (size_t i = 0; i < count; ++i) {
      out[i] = NumberOfBits<Number>(type, bits[i]);
    }
    out.remove_prefix(count);
    begin += static_cast<int64_t>(count);
  }
}

template <typename Number>
void StoreBits(ElementType type, absl::Span<const Number> numbers,
                 void* data, int64_t begin) {
  uint8_t bits[kChunk];
  while (!numbers.empty()) {
    const size_t count = std::min(kChunk, numbers.size());
    for (size_t i = 0; i < count; ++i) {
      bits[i] = BitsOfNumber(type, numbers[i]);
    }
    Pack(type, absl::MakeConstSpan(bits, count), data, begin);
    numbers.remove_prefix(count);
    begin += static_cast<int64_t>(count);
  }
}

constexpr size_t kHalves = 16;

// What F16BitsToFloat says of kHalves, without a branch and step by step, so
// that compilers make vectors of it: networks store megabytes of weights so.
void Widen(const uint16_t* halves, float* out) {
  // Bits of floats: the difference of the biases, and the smallest normal f16,
  // which one bit more than a subnormal's makes of it, to be taken off again.
  constexpr uint32_t kRebase = 112 << 23, kSmallestNormal = 113 << 23;
  constexpr uint32_t kOfSubnormals = 1 << 23, kOfInfinity = 31 << 23;
  uint32_t moved[kHalves];
  float subnormal[kHalves];
  for (size_t i = 0; i < kHalves; ++i) {
    moved[i] = static_cast<uint32_t>(halves[i] & 0x7fff) << 13;
  }
  for (size_t i = 0; i < kHalves; ++i) {
    subnormal[i] = std::bit_cast<float>(moved[i] + kSmallestNormal) -
                   std::bit_cast<float>(kSmallestNormal);
  }
  for (size_t i = 0; i < kHalves; ++i) {
    const uint32_t normal =
        moved[i] + kRebase + (moved[i] >= kOfInfinity ? kRebase : 0);
    const uint32_t sign = static_cast<uint32_t>(halves[i] & 0x8000) << 16;
    const uint32_t mask = moved[i] < kOfSubnormals ? ~uint32_t{0} : 0;
    out[i] = std::bit_cast<float>(
        sign | (std::bit_cast<uint32_t>(subnormal[i]) & mask) |
        (normal & ~mask));
  }
}

void LoadHalves(const uint16_t* halves, absl::Span<float> out) {
  size_t i = 0;
  for (; i + kHalves <= out.size(); i += kHalves) Widen(halves + i, &out[i]);
  for (; i < out.size(); ++i) out[i] = F16BitsToFloat(halves[i]);
}

// What FloatToF16Bits says of kHalves, in the same manner.
void Narrow(const float* numbers, uint16_t* out) {
  constexpr int32_t kRebase = 112 << 10, kInfinity = 31 << 10;
  constexpr int32_t kSmallestNormal = 113 << 23, kFloatInfinity = 255 << 23;
  // A number below the smallest normal f16 is rounded to a multiple of the
  // smallest f16 when this one is added to it.
  constexpr float kRounder = 0.5f;
  int32_t magnitude[kHalves], subnormal[kHalves], rounded[kHalves];
  for (size_t i = 0; i < kHalves; ++i) {
    magnitude[i] = std::bit_cast<int32_t>(numbers[i]) & 0x7fffffff;
  }
  for (size_t i = 0; i < kHalves; ++i) {
    subnormal[i] = std::bit_cast<int32_t>(std::bit_cast<float>(magnitude[i]) +
                                          kRounder) -
                   std::bit_cast<int32_t>(kRounder);
  }
  for (size_t i = 0; i < kHalves; ++i) {
    const int32_t is_odd = magnitude[i] >> 13 & 1;
    // Infinity and NaN would leave the range; they are told apart below.
    const int32_t finite = std::min(magnitude[i], kFloatInfinity);
    const int32_t normal = ((finite + 0xfff + is_odd) >> 13) - kRebase;
    const int32_t mask = magnitude[i] < kSmallestNormal ? -1 : 0;
    rounded[i] =
        (subnormal[i] & mask) | (std::min(normal, kInfinity) & ~mask);
  }
  for (size_t i = 0; i < kHalves; ++i) {
    const int32_t payload = magnitude[i] >> 13 & 0x3ff;
    const int32_t nan = kInfinity | payload | (payload == 0 ? 0x200 : 0);
    const int32_t mask = magnitude[i] > kFloatInfinity ? -1 : 0;
    const int32_t sign = std::bit_cast<int32_t>(numbers[i]) >> 16 & 0x8000;
    out[i] = static_cast<uint16_t>(sign | (nan & mask) | (rounded[i] & ~mask));
  }
}

void StoreHalves(absl::Span<const float> numbers, uint16_t* halves) {
  size_t i = 0;
  for (; i + kHalves <= numbers.size(); i += kHalves) {
    Narrow(&numbers[i], halves + i);
  }
  for (; i < numbers.size(); ++i) halves[i] = FloatToF16Bits(numbers[i]);
}

}  // namespace

template <typename Number>
void LoadNumbers(ElementType type, const void* data, int64_t begin,
                 absl::Span<Number> out) {
  if (IsSubByte(type)) return LoadBits(type, data, begin, out);
  if constexpr (std::is_same_v<Number, float>) {
    if (type == ElementType::kF16) {
      return LoadHalves(static_cast<const uint16_t*>(data) + begin, out);
    }
  }
  if (type == ElementType::kBoolean) {
    const uint8_t* bytes = static_cast<const uint8_t*>(data) + begin;
    std::transform(bytes, bytes + out.size(), out.begin(),
                   [](uint8_t byte) { return Number(byte != 0 ? 1 : 0); });
    return;
  }
  VisitWholeBytes(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T* elements = static_cast<const T*>(data) + begin;
    std::transform(elements, elements + out.size(), out.begin(),
                   CastElement<Number, T>);
  });
}

template <typename Number>
void StoreNumbers(ElementType type, absl::Span<const Number> numbers,
                  void* data, int64_t begin) {
  if (IsSubByte(type)) return StoreBits(type, numbers, data, begin);
  if constexpr (std::is_same_v<Number, float>) {
    if (type == ElementType::kF16) {
      return StoreHalves(numbers, static_cast<uint16_t*>(data) + begin);
    }
  }
  if (type == ElementType::kBoolean) {
    std::transform(numbers.begin(), numbers.end(),
                   static_cast<bool*>(data) + begin,
                   CastElement<bool, Number>);
    return;
  }
  VisitWholeBytes(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::transform(numbers.begin(), numbers.end(),
                   static_cast<T*>(data) + begin, CastElement<T, Number>);
  });
}

namespace {

template <typename Number>
void ConvertThrough(ElementType from_type, const void* from,
                    ElementType to_type, void* to, int64_t begin,
                    int64_t end) {
  // A piece at a time that stays in the cache.
  constexpr int64_t kPiece = 512;
  Number numbers[kPiece];
  for (int64_t at = begin; at < end; at += kPiece) {
    const auto piece = absl::MakeSpan(numbers, std::min(kPiece, end - at));
    LoadNumbers(from_type, from, at, piece);
    StoreNumbers(to_type, absl::Span<const Number>(piece), to, at);
  }
}

}  // namespace

void ConvertElements(ElementType from_type, const void* from,
                     ElementType to_type, void* to, int64_t begin,
                     int64_t end) {
  const auto through = [&](auto number) {
    ConvertThrough<decltype(number)>(from_type, from, to_type, to, begin, end);
  };
  if (from_type == ElementType::kF64) return through(double());
  if (from_type == ElementType::kU64) return through(uint64_t());
  // Floats hold integers of up to 24 bits.
  const bool is_short = BitWidth(from_type) <= 16;
  if (IsFloat(from_type) || (IsFloat(to_type) && is_short)) {
    return through(float());
  }
  through(int64_t());
}

#define DOVETAIL_INSTANTIATE(Number)                                      \
  template void LoadNumbers<Number>(ElementType, const void*, int64_t,    \
                                    absl::Span<Number>);                  \
  template void StoreNumbers<Number>(ElementType,                         \
                                     absl::Span<const Number>, void*,     \
                                     int64_t)
DOVETAIL_INSTANTIATE(float);
DOVETAIL_INSTANTIATE(double);
DOVETAIL_INSTANTIATE(int64_t);
DOVETAIL_INSTANTIATE(uint64_t);
#undef DOVETAIL_INSTANTIATE

}  // namespace dovetail
