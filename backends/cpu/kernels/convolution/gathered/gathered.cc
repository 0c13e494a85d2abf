#include "dovetail/backends/cpu/kernels/convolution/gathered/gathered.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/convolution/gathered/gathered_parts.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/convolution/gathered/gathered.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// After Highway.
#include "dovetail/backends/cpu/kernels/convolution/epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

namespace hn = hwy::HWY_NAMESPACE;
using gathered::Gather;
using gathered::kLanes;
using gathered::kVectorsAtATime;
using gathered::OutputBlocks;
using gathered::VectorStep;
using D = hn::FixedTag<float, kLanes>;
using V = hn::Vec<D>;
constexpr D kD;
constexpr int64_t kLineFloats = 16;  // of a cache line

// Some vectors of windows, as they lie, and the weights of a group for them.
struct Factors {
  const float* data;
  int64_t step, vectors;  // from one vector of all pixels to the next
  const float* weights;
  const float* next;  // weights that follow, to be fetched
  bool is_first;      // whether sums begin here
};

// What is fetched is as much as is multiplied, by the first tiles of pixels.
template <int kBlocks>
int64_t FetchingTiles(int64_t lines) {
  return (kBlocks * kLanes * kLanes / kLineFloats + lines - 1) / lines;
}

// Adds products to sums of kPixels pixels and kBlocks blocks of outputs, and
// fetches `lines` cache lines at `next` with each vector.
template <int kPixels, int kBlocks>
HWY_INLINE void Multiply(const Factors& f, const float* data, const float* next,
                         int64_t lines, float* out, int64_t out_step) {
  V sums[kPixels][kBlocks];
  for (int p = 0; p < kPixels; ++p) {
    for (int b = 0; b < kBlocks; ++b) {
      sums[p][b] = f.is_first ? hn::Zero(kD)
                              : hn::LoadU(kD, out + b * out_step + p * kLanes);
    }
  }
  const float* weights = f.weights;
  for (int64_t i = 0; i < f.vectors; ++i, data += f.step) {
    for (int64_t l = 0; l < lines; ++l, next += kLineFloats) {
      __builtin_prefetch(next);
    }
    for (int64_t lane = 0; lane < kLanes; ++lane, weights += kBlocks * kLanes) {
      V w[kBlocks];
      for (int b = 0; b < kBlocks; ++b)
        w[b] = hn::Load(kD, weights + b * kLanes);
      for (int p = 0; p < kPixels; ++p) {
        const V x = hn::Set(kD, data[p * kLanes + lane]);
        for (int b = 0; b < kBlocks; ++b) {
          sums[p][b] = hn::MulAdd(x, w[b], sums[p][b]);
        }
      }
    }
  }
  for (int p = 0; p < kPixels; ++p) {
    for (int b = 0; b < kBlocks; ++b) {
      hn::StoreU(sums[p][b], kD, out + b * out_step + p * kLanes);
    }
  }
}

// Multiply for a number of pixels that is known at run time, 1 to kMax.
template <int kMax, int kBlocks>
HWY_INLINE void MultiplyUpTo(int64_t pixels, const Factors& f,
                             const float* data, const float* next,
                             int64_t lines, float* out, int64_t out_step) {
  if constexpr (kMax > 1) {
    if (pixels < kMax) {
      MultiplyUpTo<kMax - 1, kBlocks>(pixels, f, data, next, lines, out,
                                      out_step);
      return;
    }
  }
  Multiply<kMax, kBlocks>(f, data, next, lines, out, out_step);
}

// All pixels: as many at a time as there are registers for sums, and about
// equally many each time, as few leave the processor waiting for sums.
template <int kBlocks>
void MultiplyPixels(const Factors& f, float* out, int64_t out_step,
                    int64_t count) {
  constexpr int kMax = kBlocks == 3 ? 4 : kBlocks == 2 ? 6 : 8;
  const int64_t tiles = (count + kMax - 1) / kMax;
  const int64_t lines =
      (kBlocks * kLanes * kLanes / kLineFloats + tiles - 1) / tiles;
  const int64_t fetching = FetchingTiles<kBlocks>(lines);
  const float* data = f.data;
  const float* next = f.next;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const int64_t now = (count + tiles - tile - 1) / (tiles - tile);
    MultiplyUpTo<kMax, kBlocks>(now, f, data, next, tile < fetching ? lines : 0,
                                out, out_step);
    count -= now;
    data += now * kLanes;
    next += lines * f.vectors * kLineFloats;
    out += now * kLanes;
  }
}

// One part of the work.
class Part {
 public:
  Part(const GatheredShape& shape, const GatheredPart& part,
       const ConvolutionOperands& operands, float* scratch)
      : s_(shape),
        part_(part),
        operands_(operands),
        blocks_(shape, part),
        sums_(scratch),
        gathered_(scratch + SumsSize()) {}

  void Run() const {
    const int64_t vectors = s_.vectors();
    for (int64_t first = 0; first < vectors; first += kVectorsAtATime) {
      const int64_t count = std::min(kVectorsAtATime, vectors - first);
      Multiply(first, count);
    }
    for (int64_t b = 0; b < blocks_.count; ++b) Finish(b);
  }

 private:
  // To whole cache lines.
  int64_t SumsSize() const {
    return (blocks_.count * BlockStep() + kLineFloats - 1) / kLineFloats *
           kLineFloats;
  }
  int64_t BlockStep() const { return part_.pixels * kLanes; }

  const float* WeightsOf(int64_t group, int64_t vector) const {
    const OutputGroup g(s_.output_blocks(), group);
    return operands_.weights +
           (g.first_block * s_.vectors() + vector * g.blocks) * kLanes * kLanes;
  }

  Factors FactorsOf(int64_t first, int64_t count) const {
    Factors factors = {};
    factors.vectors = count;
    factors.is_first = first == 0;
    if (s_.is_gathered()) {
      factors.step = s_.pixels() * kLanes;
      factors.data = operands_.input +
                     (part_.image * s_.input_blocks() + first) * factors.step +
                     part_.first_pixel * kLanes;
      return factors;
    }
    factors.step = VectorStep(part_);
    factors.data = gathered_;
    Gather(s_, part_, operands_.input, first, count, gathered_);
    return factors;
  }

  void Multiply(int64_t first, int64_t count) const {
    Factors factors = FactorsOf(first, count);
    for (int64_t g = 0; g < part_.groups; ++g) {
      const int64_t group = part_.first_group + g;
      const bool is_last = g + 1 == part_.groups;
      factors.weights = WeightsOf(group, first);
      factors.next = is_last ? WeightsOf(part_.first_group, first + count)
                             : WeightsOf(group + 1, first);
      const OutputGroup blocks(s_.output_blocks(), group);
      const auto multiply = blocks.blocks == 3   ? &MultiplyPixels<3>
                            : blocks.blocks == 2 ? &MultiplyPixels<2>
                                                 : &MultiplyPixels<1>;
      multiply(factors,
               sums_ + (blocks.first_block - blocks_.first) * BlockStep(),
               BlockStep(), part_.pixels);
    }
  }

  void Finish(int64_t b) const {
    const int64_t block = blocks_.first + b;
    const auto finisher =
        FinisherOf<D>::OfBlock(operands_.epilogue, block * kLanes);
    const float* sums = sums_ + b * BlockStep();
    const int64_t first =
        ((part_.image * s_.output_blocks() + block) * s_.pixels() +
         part_.first_pixel) *
        kLanes;
    for (int64_t i = 0; i < BlockStep(); i += kLanes) {
      const V sum = hn::LoadU(kD, sums + i);
      hn::StoreU(finisher.Finish(sum, first + i), kD,
                 operands_.output + first + i);
    }
  }

  const GatheredShape& s_;
  const GatheredPart& part_;
  const ConvolutionOperands& operands_;
  const OutputBlocks blocks_;
  float *const sums_, *const gathered_;
};

void Convolve(const GatheredShape& shape, const GatheredPart& part,
              const ConvolutionOperands& operands, float* scratch) {
  Part(shape, part, operands, scratch).Run();
}

#else

void Convolve(const GatheredShape&, const GatheredPart&,
              const ConvolutionOperands&, float*) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Convolve);

void ConvolveGathered(const GatheredShape& shape, const GatheredPart& part,
                      const ConvolutionOperands& operands, float* scratch) {
  HWY_DYNAMIC_DISPATCH(Convolve)(shape, part, operands, scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
