// The inner loop of convolutions of integers whose products of bytes are added
// in twos of 16 bits: some pixels times some blocks of 8 outputs.
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
#include <cstring>
#include <utility>

#include "dovetail/backends/cpu/kernels/integer/multiply-inl.h"
#include "dovetail/backends/cpu/kernels/integer/window_run.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::FixedTag<uint8_t, 32> kQuadTag;
constexpr hn::FixedTag<int8_t, 32> kWeightTag;
using QuadVector = hn::Vec<decltype(kQuadTag)>;
using WeightVector = hn::Vec<decltype(kWeightTag)>;

struct MultiplyBytesArguments {
  const uint8_t* data;  // of the first pixel
  int64_t pixel_step;   // to the next pixel's
  const WindowRun* runs;
  int64_t run_count;
  int64_t quads;          // of a run: 1 to 3
  const int8_t* weights;  // [runs][quads of a run][blocks][8][4]
  const int32_t* starts;  // [blocks][8]: sums begin with these
  int32_t* sums;          // [blocks][pixels][8]
  int64_t block_step;     // from a block of sums to the next
  bool adds = false;      // to the sums that are there, without starts
};

HWY_INLINE QuadVector BroadcastQuad(const uint8_t* from) {
  int32_t quad;
  std::memcpy(&quad, from, sizeof(quad));
  return hn::BitCast(kQuadTag, hn::Set(kSumTag, quad));
}

// sum + a[0] b[0] + ... + a[3] b[3] for each quad of numbers.
HWY_INLINE SumVector AddQuads(QuadVector a, WeightVector b, SumVector sum) {
  const auto ones = hn::Set(kPairTag, int16_t{1});
  const PairVector twos{_mm256_maddubs_epi16(a.raw, b.raw)};
  sum = hn::Add(sum, SumVector{_mm256_madd_epi16(twos.raw, ones.raw)});
#if HWY_COMPILER_GCC
  __asm__("" : "+x"(sum.raw));  // as in AddProducts
#endif
  return sum;
}

template <int kPixels, int kBlocks, int kQuads>
HWY_NOINLINE void MultiplyBytes(const MultiplyBytesArguments& t) {
  SumVector sums[kPixels][kBlocks];
#pragma GCC unroll 8
  for (int p = 0; p < kPixels; ++p) {
#pragma GCC unroll 2
    for (int b = 0; b < kBlocks; ++b) {
      sums[p][b] = hn::LoadU(kSumTag, t.adds ? t.sums + b * t.block_step + p * 8
                                             : t.starts + b * 8);
    }
  }
  const int64_t step = t.pixel_step;
  const WindowRun* const end = t.runs + t.run_count;
  for (const WindowRun* run = t.runs; run != end; ++run) {
    const uint8_t* const data = t.data + run->data;
    const int8_t* const weights =
        t.weights + int64_t{run->weights} * (kQuads * kBlocks * 32);
    const uint8_t* const fourth = data + 3 * step;
    const uint8_t* const seventh = fourth + 3 * step;
#pragma GCC unroll 3
    for (int k = 0; k < kQuads; ++k) {
      WeightVector w[kBlocks];
#pragma GCC unroll 2
      for (int b = 0; b < kBlocks; ++b) {
        w[b] = hn::Load(kWeightTag, weights + (k * kBlocks + b) * 32);
      }
#pragma GCC unroll 8
      for (int p = 0; p < kPixels; ++p) {
        const QuadVector x =
            BroadcastQuad((p < 3   ? data + p * step
                           : p < 6 ? fourth + (p - 3) * step
                                   : seventh + (p - 6) * step) +
                          4 * k);
#pragma GCC unroll 2
        for (int b = 0; b < kBlocks; ++b) {
          sums[p][b] = AddQuads(x, w[b], sums[p][b]);
        }
      }
    }
  }
#pragma GCC unroll 8
  for (int p = 0; p < kPixels; ++p) {
#pragma GCC unroll 2
    for (int b = 0; b < kBlocks; ++b) {
      hn::StoreU(sums[p][b], kSumTag, t.sums + b * t.block_step + p * 8);
    }
  }
}

using MultiplyBytesFunction = void (*)(const MultiplyBytesArguments&);

template <int kBlocks, int kQuads, int... kLess>
HWY_INLINE MultiplyBytesFunction
MultiplyBytesOfPixels(int64_t pixels, std::integer_sequence<int, kLess...>) {
  static constexpr MultiplyBytesFunction kFunctions[] = {
      MultiplyBytes<kLess + 1, kBlocks, kQuads>...};
  return kFunctions[pixels - 1];
}

template <int kBlocks>
HWY_INLINE MultiplyBytesFunction FindMultiplyBytes(int64_t quads,
                                                   int64_t pixels) {
  constexpr std::make_integer_sequence<int, MostPixels(kBlocks)> counts;
  return quads == 1   ? MultiplyBytesOfPixels<kBlocks, 1>(pixels, counts)
         : quads == 2 ? MultiplyBytesOfPixels<kBlocks, 2>(pixels, counts)
                      : MultiplyBytesOfPixels<kBlocks, 3>(pixels, counts);
}

// As MultiplyRow does.
HWY_INLINE void MultiplyRowOfBytes(MultiplyBytesArguments t, int64_t blocks,
                                   int64_t pixels) {
  const PixelShares shares(blocks, pixels);
  for (int64_t i = 0; i < shares.times(); ++i) {
    const int64_t now = shares.At(i);
    const auto function = blocks == 2 ? FindMultiplyBytes<2>(t.quads, now)
                                      : FindMultiplyBytes<1>(t.quads, now);
    function(t);
    t.data += now * t.pixel_step;
    t.sums += now * 8;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_MULTIPLY_BYTES_INL_H_
