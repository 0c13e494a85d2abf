#include "dovetail/backends/cpu/kernels/common/convert.h"

#include <cstring>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/common/convert.cc"
#include "dovetail/backends/cpu/kernels/common/bf16_rows.h"
#include "dovetail/backends/cpu/kernels/common/bf16_support.h"
#include "dovetail/backends/cpu/kernels/common/convert_scalar.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/cpu/kernels/common/bf16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using FloatVector = hn::Vec<Floats>;
using Ints = hn::RebindToSigned<Floats>;
using IntVector = hn::Vec<Ints>;

// What the operation Convert makes of floats: 0 of NaN, the least number of
// what is out of range.
HWY_INLINE IntVector ToInts(FloatVector x) {
  const Floats d;
  const Ints di;
  const auto fits = hn::And(hn::Ge(x, hn::Set(d, -2147483648.0f)),
                            hn::Lt(x, hn::Set(d, 2147483648.0f)));
  const IntVector inside = hn::ConvertTo(di, hn::IfThenElseZero(fits, x));
  const IntVector least = hn::IfThenElseZero(
      hn::RebindMask(di, hn::Eq(x, x)), hn::Set(di, hwy::LimitsMin<int32_t>()));
  return hn::IfThenElse(hn::RebindMask(di, fits), inside, least);
}

// The lowest bytes of what ToInts gives: conversions of x86 give the least
// number, whose lowest byte is 0, for NaN too.
HWY_INLINE hn::Vec<hn::Rebind<uint8_t, Floats>> ToBytes(FloatVector x) {
#if HWY_TARGET == HWY_AVX3
  return hn::Vec<hn::Rebind<uint8_t, Floats>>{
      _mm512_cvtepi32_epi8(_mm512_cvttps_epi32(x.raw))};
#elif HWY_TARGET == HWY_AVX2
  const hn::RebindToUnsigned<Floats> du;
  return hn::TruncateTo(hn::Rebind<uint8_t, Floats>(),
                        hn::BitCast(du, IntVector{_mm256_cvttps_epi32(x.raw)}));
#else
  const hn::RebindToUnsigned<Floats> du;
  return hn::TruncateTo(hn::Rebind<uint8_t, Floats>(),
                        hn::BitCast(du, ToInts(x)));
#endif
}

// Each way to hold a number: its element, and a vector of them as floats.
struct AsF32 {
  using T = float;
  static HWY_INLINE FloatVector Load(const T* from) {
    return hn::LoadU(Floats(), from);
  }
  static HWY_INLINE void Store(FloatVector x, T* to) {
    hn::StoreU(x, Floats(), to);
  }
};

struct AsI32 {
  using T = int32_t;
  static HWY_INLINE FloatVector Load(const T* from) {
    return hn::ConvertTo(Floats(), hn::LoadU(Ints(), from));
  }
  static HWY_INLINE void Store(FloatVector x, T* to) {
    hn::StoreU(ToInts(x), Ints(), to);
  }
};

struct AsU8 {
  using T = uint8_t;
  using Bytes = hn::Rebind<uint8_t, Floats>;
  static HWY_INLINE FloatVector Load(const T* from) {
    return hn::ConvertTo(Floats(),
                         hn::PromoteTo(Ints(), hn::LoadU(Bytes(), from)));
  }
  static HWY_INLINE void Store(FloatVector x, T* to) {
    hn::StoreU(ToBytes(x), Bytes(), to);
  }
};

struct AsI8 {
  using T = int8_t;
  using Bytes = hn::Rebind<int8_t, Floats>;
  static HWY_INLINE FloatVector Load(const T* from) {
    return hn::ConvertTo(Floats(),
                         hn::PromoteTo(Ints(), hn::LoadU(Bytes(), from)));
  }
  static HWY_INLINE void Store(FloatVector x, T* to) {
    hn::StoreU(hn::BitCast(Bytes(), ToBytes(x)), Bytes(), to);
  }
};

struct AsBoolean {
  using T = uint8_t;
  using Bytes = hn::Rebind<uint8_t, Floats>;
  static HWY_INLINE FloatVector Load(const T* from) {
    const IntVector bytes = hn::PromoteTo(Ints(), hn::LoadU(Bytes(), from));
    return hn::ConvertTo(Floats(), hn::Min(bytes, hn::Set(Ints(), 1)));
  }
  static HWY_INLINE void Store(FloatVector x, T* to) {
    const auto truth =
        hn::RebindMask(Ints(), hn::Not(hn::Eq(x, hn::Zero(Floats()))));
    const IntVector ones = hn::IfThenElseZero(truth, hn::Set(Ints(), 1));
    hn::StoreU(hn::DemoteTo(Bytes(), ones), Bytes(), to);
  }
};

struct AsF16 {
  using T = uint16_t;
  using Float16s = hn::Rebind<hwy::float16_t, Floats>;
  static HWY_INLINE FloatVector Load(const T* from) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    HWY_ALIGN float lanes[HWY_LANES(float)];
    LoadEach<Float16>(from, 1, lanes, HWY_LANES(float));
    return hn::Load(Floats(), lanes);
#else
    return hn::PromoteTo(
        Floats(),
        hn::LoadU(Float16s(), reinterpret_cast<const hwy::float16_t*>(from)));
#endif
  }
  static HWY_INLINE void Store(FloatVector x, T* to) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    HWY_ALIGN float lanes[HWY_LANES(float)];
    hn::Store(x, Floats(), lanes);
    StoreEach<Float16>(lanes, to, 1, HWY_LANES(float));
#else
    hn::StoreU(hn::DemoteTo(Float16s(), x), Float16s(),
               reinterpret_cast<hwy::float16_t*>(to));
#endif
  }
};

template <class Type>
void LoadVectors(const void* from, float* to, size_t count) {
  using T = typename Type::T;
  const Floats d;
  const size_t lanes = hn::Lanes(d);
  const T* const elements = static_cast<const T*>(from);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(Type::Load(elements + i), d, to + i);
  }
  if (i == count) return;
  T rest[HWY_LANES(float)] = {};
  float numbers[HWY_LANES(float)];
  std::memcpy(rest, elements + i, (count - i) * sizeof(T));
  hn::StoreU(Type::Load(rest), d, numbers);
  std::memcpy(to + i, numbers, (count - i) * sizeof(float));
}

template <class Type>
void StoreVectors(const float* from, void* to, size_t count) {
  using T = typename Type::T;
  const Floats d;
  const size_t lanes = hn::Lanes(d);
  T* const elements = static_cast<T*>(to);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    Type::Store(hn::LoadU(d, from + i), elements + i);
  }
  if (i == count) return;
  float numbers[HWY_LANES(float)] = {};
  T rest[HWY_LANES(float)];
  std::memcpy(numbers, from + i, (count - i) * sizeof(float));
  Type::Store(hn::LoadU(d, numbers), rest);
  std::memcpy(elements + i, rest, (count - i) * sizeof(T));
}

}  // namespace

LoadFloatsFn FindVectorLoad(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return LoadVectors<AsF32>;
    case ElementType::kBf16:
      return LoadVectors<AsBf16>;
    case ElementType::kF16:
      return LoadVectors<AsF16>;
    case ElementType::kI32:
      return LoadVectors<AsI32>;
    case ElementType::kU8:
      return LoadVectors<AsU8>;
    case ElementType::kI8:
      return LoadVectors<AsI8>;
    case ElementType::kBoolean:
      return LoadVectors<AsBoolean>;
    default:
      return nullptr;
  }
}

StoreFloatsFn FindVectorStore(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return StoreVectors<AsF32>;
    case ElementType::kBf16:
      return StoreVectors<AsBf16>;
    case ElementType::kF16:
      return StoreVectors<AsF16>;
    case ElementType::kI32:
      return StoreVectors<AsI32>;
    case ElementType::kU8:
      return StoreVectors<AsU8>;
    case ElementType::kI8:
      return StoreVectors<AsI8>;
    case ElementType::kBoolean:
      return StoreVectors<AsBoolean>;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(FindVectorLoad);
HWY_EXPORT(FindVectorStore);

LoadFloatsFn FindLoadFloats(ElementType type) {
  LoadFloatsFn found = HWY_DYNAMIC_DISPATCH(FindVectorLoad)(type);
  if (found != nullptr) return found;
  DispatchConvertible(type, [&found](auto element) {
    found = [](const void* from, float* to, size_t count) {
      LoadEach<decltype(element)>(from, 1, to, count);
    };
  });
  return found;
}

StoreFloatsFn FindStoreFloats(ElementType type) {
  if (type == ElementType::kBf16 && HasBf16Products()) {
    return [](const float* from, void* to, size_t count) {
      const auto elements = static_cast<int64_t>(count);
      RoundRow(from, elements, elements, static_cast<uint16_t*>(to));
    };
  }
  StoreFloatsFn found = HWY_DYNAMIC_DISPATCH(FindVectorStore)(type);
  if (found != nullptr) return found;
  DispatchConvertible(type, [&found](auto element) {
    found = [](const float* from, void* to, size_t count) {
      StoreEach<decltype(element)>(from, to, 1, count);
    };
  });
  return found;
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
