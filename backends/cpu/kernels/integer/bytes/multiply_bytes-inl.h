// Products of bytes for the inner loop of convolutions of integers.
//
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h, where vectors of 8 x 32 bits are.
#if defined(                                                              \
    DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_MULTIPLY_BYTES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_MULTIPLY_BYTES_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_MULTIPLY_BYTES_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_MULTIPLY_BYTES_INL_H_
#endif

#include <cstdint>
#include <utility>

#include "dovetail/backends/cpu/kernels/integer/multiply-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::FixedTag<uint8_t, 32> kQuadTag;
constexpr hn::FixedTag<int8_t, 32> kWeightTag;
using QuadVector = hn::Vec<decltype(kQuadTag)>;
using WeightVector = hn::Vec<decltype(kWeightTag)>;

// Bytes in fours, whose products are added in twos of 16 bits: exact where no
// two reach beyond these.
struct ByteProducts {
  using Data = uint8_t;
  using Weight = int8_t;
  static constexpr int kNumbers = 4;
  using Steps = std::integer_sequence<int, 1, 2, 3>;

  static HWY_INLINE QuadVector Broadcast(const Data* from) {
    return BroadcastWord<QuadVector>(from);
  }
  static HWY_INLINE WeightVector LoadWeights(const Weight* from) {
    return hn::Load(kWeightTag, from);
  }
  static HWY_INLINE SumVector Add(QuadVector a, WeightVector b, SumVector sum) {
    const auto ones = hn::Set(kPairTag, int16_t{1});
    const PairVector twos{_mm256_maddubs_epi16(a.raw, b.raw)};
    sum = hn::Add(sum, SumVector{_mm256_madd_epi16(twos.raw, ones.raw)});
#if HWY_COMPILER_GCC
    __asm__("" : "+x"(sum.raw));  // as PairProducts does
#endif
    return sum;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_MULTIPLY_BYTES_INL_H_
