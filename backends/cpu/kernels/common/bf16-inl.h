// Vectors of floats that are stored as bf16. Compiled once per instruction set:
// include it after highway.h in a file of foreach_target.h.
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

// As many elements as a vector of floats has lanes; they are rounded to the
// nearest, to the even one of two.
struct AsBf16 {
  using T = uint16_t;
  using Floats = hwy::HWY_NAMESPACE::ScalableTag<float>;
  using Vector = hwy::HWY_NAMESPACE::Vec<Floats>;
  using Ints = hwy::HWY_NAMESPACE::RebindToSigned<Floats>;
  using UnsignedInts = hwy::HWY_NAMESPACE::RebindToUnsigned<Floats>;
  using IntVector = hwy::HWY_NAMESPACE::Vec<Ints>;
  using Words = hwy::HWY_NAMESPACE::Rebind<uint16_t, Floats>;

  static HWY_INLINE Vector Load(const T* from) {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto words = hn::PromoteTo(Ints(), hn::LoadU(Words(), from));
    return hn::BitCast(Floats(), hn::ShiftLeft<16>(words));
  }

  static HWY_INLINE void Store(Vector x, T* to) {
    namespace hn = hwy::HWY_NAMESPACE;
    const IntVector bits = hn::BitCast(Ints(), x);
    const auto upper = [](IntVector v) HWY_ATTR {
      const auto unsigned_bits = hn::BitCast(UnsignedInts(), v);
      return hn::BitCast(Ints(), hn::ShiftRight<16>(unsigned_bits));
    };
    const IntVector odd = hn::And(upper(bits), hn::Set(Ints(), 1));
    const IntVector rounded =
        hn::Add(hn::Add(bits, hn::Set(Ints(), 0x7fff)), odd);
    // A NaN keeps its upper bits and becomes a quiet one.
    const IntVector nan = hn::Or(bits, hn::Set(Ints(), 0x400000));
    const auto is_nan = hn::RebindMask(Ints(), hn::IsNaN(x));
    const IntVector result = upper(hn::IfThenElse(is_nan, nan, rounded));
    hn::StoreU(hn::TruncateTo(Words(), hn::BitCast(UnsignedInts(), result)),
               Words(), to);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_INL_H_
