// The inner loop of convolutions of integers: some pixels times some blocks of
// 8 outputs, all sums in registers.
//
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h, where vectors of 8 x 32 bits are.
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_MULTIPLY_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_MULTIPLY_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_MULTIPLY_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_MULTIPLY_INL_H_
#endif

#include <cstdint>
#include <cstring>
#include <utility>

#include "dovetail/backends/cpu/kernels/integer/window_run.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::FixedTag<int16_t, 16> kPairTag;
constexpr hn::FixedTag<int32_t, 8> kSumTag;
using PairVector = hn::Vec<decltype(kPairTag)>;
using SumVector = hn::Vec<decltype(kSumTag)>;

// Pixels that are computed together: as many as there are registers for.
constexpr int MostPixels(int64_t blocks) { return blocks == 2 ? 6 : 8; }

struct MultiplyArguments {
  const int16_t* data;  // of the first pixel
  int64_t pixel_step;   // to the next pixel's
  const WindowRun* runs;
  int64_t run_count;
  int64_t pairs;           // of a run: 4 or 1
  const int16_t* weights;  // [runs][pairs of a run][blocks][8][2]
  int32_t* sums;           // [blocks][pixels][8]
  int64_t block_step;      // from a block of sums to the next
  bool adds = false;       // to the sums that are there
};

HWY_INLINE PairVector BroadcastPair(const int16_t* from) {
  int32_t pair;
  std::memcpy(&pair, from, sizeof(pair));
  return hn::BitCast(kPairTag, hn::Set(kSumTag, pair));
}

// sum + a[0] b[0] + a[1] b[1] for each pair of numbers.
HWY_INLINE SumVector AddProducts(PairVector a, PairVector b, SumVector sum) {
  SumVector unused = sum;
  sum = hn::ReorderWidenMulAccumulate(kSumTag, a, b, sum, unused);
#if HWY_COMPILER_GCC
  // Or the compiler adds products to each other before it adds them to sums,
  // for which there are too few registers.
  __asm__("" : "+x"(sum.raw));
#endif
  return sum;
}

template <int kPixels, int kBlocks, int kPairs>
HWY_NOINLINE void Multiply(const MultiplyArguments& t) {
  SumVector sums[kPixels][kBlocks];
#pragma GCC unroll 8
  for (int p = 0; p < kPixels; ++p) {
#pragma GCC unroll 2
    for (int b = 0; b < kBlocks; ++b) {
      sums[p][b] = hn::Zero(kSumTag);
    }
  }
  const int64_t step = t.pixel_step;
  const WindowRun* const end = t.runs + t.run_count;
  for (const WindowRun* run = t.runs; run != end; ++run) {
    const int16_t* const data = t.data + run->data;
    const int16_t* const weights =
        t.weights + int64_t{run->weights} * (kPairs * kBlocks * 16);
    // So that addresses are one of three and a small multiple of the step.
    const int16_t* const fourth = data + 3 * step;
    const int16_t* const seventh = fourth + 3 * step;
#pragma GCC unroll 4
    for (int k = 0; k < kPairs; ++k) {
      PairVector w[kBlocks];
#pragma GCC unroll 2
      for (int b = 0; b < kBlocks; ++b) {
        w[b] = hn::Load(kPairTag, weights + (k * kBlocks + b) * 16);
      }
#pragma GCC unroll 8
      for (int p = 0; p < kPixels; ++p) {
        const PairVector x =
            BroadcastPair((p < 3   ? data + p * step
                           : p < 6 ? fourth + (p - 3) * step
                                   : seventh + (p - 6) * step) +
                          2 * k);
#pragma GCC unroll 2
        for (int b = 0; b < kBlocks; ++b) {
          sums[p][b] = AddProducts(x, w[b], sums[p][b]);
        }
      }
    }
  }
  // At the end, where it keeps nothing waiting.
  if (t.adds) {
#pragma GCC unroll 8
    for (int p = 0; p < kPixels; ++p) {
#pragma GCC unroll 2
      for (int b = 0; b < kBlocks; ++b) {
        sums[p][b] = hn::Add(
            sums[p][b], hn::LoadU(kSumTag, t.sums + b * t.block_step + p * 8));
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

using MultiplyFunction = void (*)(const MultiplyArguments&);

template <int kBlocks, int kPairs, int... kLess>
HWY_INLINE MultiplyFunction
MultiplyOfPixels(int64_t pixels, std::integer_sequence<int, kLess...>) {
  static constexpr MultiplyFunction kFunctions[] = {
      Multiply<kLess + 1, kBlocks, kPairs>...};
  return kFunctions[pixels - 1];
}

template <int kBlocks>
HWY_INLINE MultiplyFunction FindMultiply(int64_t pairs, int64_t pixels) {
  constexpr std::make_integer_sequence<int, MostPixels(kBlocks)> counts;
  return pairs == 4 ? MultiplyOfPixels<kBlocks, 4>(pixels, counts)
                    : MultiplyOfPixels<kBlocks, 1>(pixels, counts);
}

// Any number of pixels: as many as fit registers at a time, and about equally
// many each time, as few leave the processor waiting for memory.
class PixelShares {
 public:
  PixelShares(int64_t blocks, int64_t pixels) {
    const auto all = static_cast<uint32_t>(pixels);  // is divided faster
    times_ = blocks == 2 ? DividedUp<MostPixels(2)>(all)
                         : DividedUp<MostPixels(1)>(all);
    least_ = all / times_;
    greater_ = all - least_ * times_;
  }
  int64_t times() const { return times_; }
  int64_t At(int64_t time) const { return least_ + (time < greater_ ? 1 : 0); }

 private:
  template <uint32_t kDivisor>
  static uint32_t DividedUp(uint32_t number) {
    return (number + kDivisor - 1) / kDivisor;
  }

  uint32_t times_, least_, greater_;
};

HWY_INLINE void MultiplyRow(MultiplyArguments t, int64_t blocks,
                            int64_t pixels) {
  const PixelShares shares(blocks, pixels);
  for (int64_t i = 0; i < shares.times(); ++i) {
    const int64_t now = shares.At(i);
    const auto function = blocks == 2 ? FindMultiply<2>(t.pairs, now)
                                      : FindMultiply<1>(t.pairs, now);
    function(t);
    t.data += now * t.pixel_step;
    t.sums += now * 8;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_MULTIPLY_INL_H_
