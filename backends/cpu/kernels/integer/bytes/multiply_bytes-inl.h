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

// Bytes in fours, whose products are added in twos of 16 bits: exact where no
// two reach beyond these.
struct ByteProducts {
  using Data = uint8_t;
  using Weight = int8_t;
  static constexpr int kNumbers = 4;
  using Steps = std::integer_sequence<int, 1, 2, 3>;

  template <int kBlocks>
  using Tag = hn::FixedTag<uint8_t, kBlocks * 32>;

  template <class Vector, class Weights, class Sums>
  static HWY_INLINE Sums Add(Vector a, Weights b, Sums sum) {
    sum = hn::Add(sum, Sums{SumsOfFour(a.raw, b.raw)});
    KeepInRegister(sum);
    return sum;
  }

 private:
  static HWY_INLINE __m256i SumsOfFour(__m256i a, __m256i b) {
    return _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), _mm256_set1_epi16(1));
  }
#if HWY_MAX_BYTES >= 64
  static HWY_INLINE __m512i SumsOfFour(__m512i a, __m512i b) {
    return _mm512_madd_epi16(_mm512_maddubs_epi16(a, b), _mm512_set1_epi16(1));
  }
#endif
};

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_MULTIPLY_BYTES_INL_H_
