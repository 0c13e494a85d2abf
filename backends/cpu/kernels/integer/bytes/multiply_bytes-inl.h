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

// Of unsigned and signed bytes, sums of two in 16 bits, limited to these.
HWY_INLINE __m256i AddInTwos(__m256i a, __m256i b) {
  return _mm256_maddubs_epi16(a, b);
}
// Sums of two of 16 bits, in 32.
HWY_INLINE __m256i AddWidening(__m256i x) {
  return _mm256_madd_epi16(x, _mm256_set1_epi16(1));
}
HWY_INLINE __m256i AddOf16(__m256i a, __m256i b) {
  return _mm256_add_epi16(a, b);
}
#if HWY_MAX_BYTES >= 64
HWY_INLINE __m512i AddInTwos(__m512i a, __m512i b) {
  return _mm512_maddubs_epi16(a, b);
}
HWY_INLINE __m512i AddWidening(__m512i x) {
  return _mm512_madd_epi16(x, _mm512_set1_epi16(1));
}
HWY_INLINE __m512i AddOf16(__m512i a, __m512i b) {
  return _mm512_add_epi16(a, b);
}
#endif

// Bytes in fours, whose products are added in twos of 16 bits: exact where no
// two reach beyond these.
struct ByteProducts : LoadedFactors<int8_t, 32> {
  using Data = uint8_t;
  using Weight = int8_t;
  static constexpr int kNumbers = 4, kNumbersTogether = 4;
  using Steps = std::integer_sequence<int, 1, 2, 3>;

  template <class Vector, class Sums>
  static HWY_INLINE Sums Add(Vector a, Vector b, Sums sum) {
    sum = hn::Add(sum, Sums{AddWidening(AddInTwos(a.raw, b.raw))});
    KeepInRegister(sum);
    return sum;
  }
};

// Two vectors of factors.
template <class Vector>
struct TwoVectors {
  Vector first, second;
};

// Bytes in eights: 0, 1, 4 and 5 of them are added in 16 bits, and the others.
// Exact where no sum of four reaches beyond these, with three
// multiplications in place of four.
struct ByteProductsOfFour {
  using Data = uint8_t;
  using Weight = int8_t;
  static constexpr int kNumbers = 8, kNumbersTogether = 4;
  using Steps = std::integer_sequence<int, 1>;

  template <int kTogether>
  using Vectors = TwoVectors<hn::Vec<ByteProducts::Tag<kTogether>>>;

  template <int kTogether, int kBlocks>
  static HWY_INLINE Vectors<kTogether> LoadWeights(const Weight* weights) {
    constexpr ByteProducts::Tag<kTogether> d;
    return {hn::Load(d, weights), hn::Load(d, weights + kBlocks * 32)};
  }
  template <int kTogether>
  static HWY_INLINE Vectors<kTogether> BroadcastData(const Data* data) {
    constexpr ByteProducts::Tag<kTogether> d;
    return {BroadcastWord(d, data), BroadcastWord(d, data + 4)};
  }

  template <class Vectors, class Sums>
  static HWY_INLINE Sums Add(const Vectors& a, const Vectors& b, Sums sum) {
    const auto fours = AddOf16(AddInTwos(a.first.raw, b.first.raw),
                               AddInTwos(a.second.raw, b.second.raw));
    sum = hn::Add(sum, Sums{AddWidening(fours)});
    KeepInRegister(sum);
    return sum;
  }
};

// Weights of bytes in fours, [fours][8 outputs][4], as PairProducts take them:
// 0 and 2 of each four come next to each other, and 1 and 3. `blocks` of 8
// outputs lie side by side.
HWY_INLINE void WidenWeights(const int8_t* from, int64_t fours, int64_t blocks,
                             int16_t* to) {
  constexpr hn::FixedTag<int8_t, 32> bytes;
  for (int64_t i = 0; i < fours; ++i, to += blocks * 32) {
    for (int64_t b = 0; b < blocks; ++b, from += 32) {
      const auto x = hn::BitCast(kPairTag, hn::Load(bytes, from));
      hn::Store(hn::ShiftRight<8>(hn::ShiftLeft<8>(x)), kPairTag, to + b * 16);
      hn::Store(hn::ShiftRight<8>(x), kPairTag, to + (blocks + b) * 16);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_MULTIPLY_BYTES_INL_H_
