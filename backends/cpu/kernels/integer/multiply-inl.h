// The inner loop of convolutions of integers: some pixels times some blocks of
// 8 outputs, all sums in registers. Vectors of 16 sums hold two blocks.
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

#include <algorithm>
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

// Blocks whose sums are one vector.
constexpr int kMostBlocks = HWY_MAX_BYTES >= 64 ? 2 : 1;

// Pixels that are computed together: as many as there are registers for, or as
// make weights, which each of them reads, cheap.
constexpr int MostPixels(int64_t blocks) {
  return blocks == 1 ? 8 : kMostBlocks == 1 ? 6 : 12;
}

template <class D>
HWY_INLINE hn::Vec<D> BroadcastWord(D d, const void* from) {
  int32_t word;
  std::memcpy(&word, from, sizeof(word));
  return hn::BitCast(d, hn::Set(hn::Repartition<int32_t, D>(), word));
}

// Of one block, or of two that lie `block_step` apart.
template <class D>
HWY_INLINE hn::Vec<D> LoadSums(D d, const int32_t* from, int64_t block_step) {
  if constexpr (hn::MaxLanes(d) == 8) {
    return hn::LoadU(d, from);
  } else {
    return hn::Combine(d, hn::LoadU(kSumTag, from + block_step),
                       hn::LoadU(kSumTag, from));
  }
}

template <class D>
HWY_INLINE void StoreSums(D d, hn::Vec<D> sums, int32_t* to,
                          int64_t block_step) {
  if constexpr (hn::MaxLanes(d) == 8) {
    hn::StoreU(sums, d, to);
  } else {
    hn::StoreU(hn::LowerHalf(kSumTag, sums), kSumTag, to);
    hn::StoreU(hn::UpperHalf(kSumTag, sums), kSumTag, to + block_step);
  }
}

// So that the compiler does not add products to each other before it adds them
// to sums, for which there are too few registers.
template <class Vector>
HWY_INLINE void KeepInRegister(Vector& sum) {
#if HWY_COMPILER_GCC
  __asm__("" : "+v"(sum.raw));
#endif
}

// Factors in vectors of kLanes for a block of 8 outputs, which are loaded as
// they are.
template <class WeightNumber, int kLanes>
struct LoadedFactors {
  template <int kTogether>
  using Tag = hn::FixedTag<WeightNumber, kTogether * kLanes>;

  template <int kTogether, int kBlocks>
  static HWY_INLINE hn::Vec<Tag<kTogether>> LoadWeights(
      const WeightNumber* weights) {
    return hn::Load(Tag<kTogether>(), weights);
  }
  template <int kTogether>
  static HWY_INLINE hn::Vec<Tag<kTogether>> BroadcastData(const void* data) {
    return BroadcastWord(Tag<kTogether>(), data);
  }
};

// Kinds of products: how many neighbouring numbers of a pixel, and of the
// weights of each of 8 outputs, are multiplied and added to its sum at a time.
// Weights of a step are those of all blocks of outputs; a vector's ones begin
// at `weights`, and are of kTogether blocks.
struct PairProducts : LoadedFactors<int16_t, 16> {
  using Data = int16_t;
  using Weight = int16_t;
  static constexpr int kNumbers = 2;
  // Of an output's weights, so many lie next to each other.
  static constexpr int kNumbersTogether = 2;
  using Steps = std::integer_sequence<int, 1, 4>;  // that a run may have

  template <class Vector, class Sums>
  static HWY_INLINE Sums Add(Vector a, Vector b, Sums sum) {
    Sums unused = sum;
    sum = hn::ReorderWidenMulAccumulate(hn::DFromV<Sums>(), a, b, sum, unused);
    KeepInRegister(sum);
    return sum;
  }
};

template <class Products>
struct MultiplyArguments {
  const typename Products::Data* data = nullptr;  // of the first pixel
  int64_t pixel_step = 0;                         // to the next pixel's
  const WindowRun* runs = nullptr;
  int64_t run_count = 0;
  int64_t steps = 0;  // of a run
  // [runs][steps of a run][parts of a step][blocks][8][kNumbersTogether]
  const typename Products::Weight* weights = nullptr;
  const int32_t* starts = nullptr;  // [blocks][8] of the sums; null: zeros
  int32_t* sums = nullptr;          // [blocks][pixels][8]
  int64_t block_step = 0;           // from a block of sums to the next
  bool adds = false;                // to the sums that are there
};

template <class Products, int kPixels, int kBlocks, int kSteps>
HWY_NOINLINE void Multiply(const MultiplyArguments<Products>& t) {
  constexpr int kNumbers = Products::kNumbers;
  constexpr int kTogether = std::min(kBlocks, kMostBlocks);
  constexpr int kVectors = kBlocks / kTogether;
  constexpr hn::FixedTag<int32_t, kTogether * 8> d;
  using Weights =
      decltype(Products::template LoadWeights<kTogether, kBlocks>(t.weights));
  hn::Vec<decltype(d)> sums[kPixels][kVectors];
#pragma GCC unroll 2
  for (int b = 0; b < kVectors; ++b) {
    const auto start =
        t.starts == nullptr ? hn::Zero(d) : hn::LoadU(d, t.starts + b * 8);
#pragma GCC unroll 12
    for (int p = 0; p < kPixels; ++p) sums[p][b] = start;
  }
  const int64_t step = t.pixel_step;
  const WindowRun* const end = t.runs + t.run_count;
  for (const WindowRun* run = t.runs; run != end; ++run) {
    const auto* const data = t.data + run->data;
    const auto* const weights =
        t.weights + int64_t{run->weights} * (kSteps * kBlocks * 8 * kNumbers);
    // So that addresses are one of four and a small multiple of the step.
    const auto* const fourth = data + 3 * step;
    const auto* const seventh = fourth + 3 * step;
    const auto* const tenth = seventh + 3 * step;
#pragma GCC unroll 4
    for (int k = 0; k < kSteps; ++k) {
      Weights w[kVectors];
#pragma GCC unroll 2
      for (int b = 0; b < kVectors; ++b) {
        w[b] = Products::template LoadWeights<kTogether, kBlocks>(
            weights + k * kBlocks * (8 * kNumbers) +
            b * kTogether * (8 * Products::kNumbersTogether));
      }
#pragma GCC unroll 12
      for (int p = 0; p < kPixels; ++p) {
        const auto x = Products::template BroadcastData<kTogether>(
            (p < 3   ? data + p * step
             : p < 6 ? fourth + (p - 3) * step
             : p < 9 ? seventh + (p - 6) * step
                     : tenth + (p - 9) * step) +
            kNumbers * k);
#pragma GCC unroll 2
        for (int b = 0; b < kVectors; ++b) {
          sums[p][b] = Products::Add(x, w[b], sums[p][b]);
        }
      }
    }
  }
  // At the end, where it keeps nothing waiting.
  if (t.adds) {
#pragma GCC unroll 12
    for (int p = 0; p < kPixels; ++p) {
#pragma GCC unroll 2
      for (int b = 0; b < kVectors; ++b) {
        sums[p][b] = hn::Add(
            sums[p][b],
            LoadSums(d, t.sums + b * t.block_step + p * 8, t.block_step));
      }
    }
  }
#pragma GCC unroll 12
  for (int p = 0; p < kPixels; ++p) {
#pragma GCC unroll 2
    for (int b = 0; b < kVectors; ++b) {
      StoreSums(d, sums[p][b], t.sums + b * t.block_step + p * 8, t.block_step);
    }
  }
}

template <class Products>
using MultiplyFunction = void (*)(const MultiplyArguments<Products>&);

template <class Products, int kBlocks, int kSteps, int... kLess>
HWY_INLINE MultiplyFunction<Products> MultiplyOfPixels(
    int64_t pixels, std::integer_sequence<int, kLess...>) {
  static constexpr MultiplyFunction<Products> kFunctions[] = {
      Multiply<Products, kLess + 1, kBlocks, kSteps>...};
  return kFunctions[pixels - 1];
}

template <class Products, int kBlocks, int... kSteps>
HWY_INLINE MultiplyFunction<Products> FindMultiply(
    int64_t steps, int64_t pixels, std::integer_sequence<int, kSteps...>) {
  constexpr std::make_integer_sequence<int, MostPixels(kBlocks)> counts;
  MultiplyFunction<Products> function = nullptr;
  ((function = steps == kSteps
                   ? MultiplyOfPixels<Products, kBlocks, kSteps>(pixels, counts)
                   : function),
   ...);
  return function;
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

template <class Products>
HWY_INLINE void MultiplyRow(MultiplyArguments<Products> t, int64_t blocks,
                            int64_t pixels) {
  constexpr typename Products::Steps all;
  const PixelShares shares(blocks, pixels);
  for (int64_t i = 0; i < shares.times(); ++i) {
    const int64_t now = shares.At(i);
    const auto function = blocks == 2
                              ? FindMultiply<Products, 2>(t.steps, now, all)
                              : FindMultiply<Products, 1>(t.steps, now, all);
    function(t);
    t.data += now * t.pixel_step;
    t.sums += now * 8;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_MULTIPLY_INL_H_
