#include "dovetail/backends/cpu/kernels/convolution/transposed/transposed_tiles.h"

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/convolution/transposed/transposed_tiles.cc"
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
using D = hn::FixedTag<float, 8>;
using V = hn::Vec<D>;
constexpr D kD;
constexpr int64_t kLanes = TransposedTilesShape::kLanes;

// A row of the input, and what a group of outputs makes of it.
template <int kBlocks>
class Row {
 public:
  Row(const TransposedTilesShape& shape, const ConvolutionOperands& operands,
      int64_t image, int64_t first_block, int64_t y)
      : s_(shape),
        operands_(operands),
        first_block_(first_block),
        plane_(s_.height * s_.width * kLanes),
        result_plane_(plane_ * s_.taps()),
        input_(operands.input + image * s_.input_blocks() * plane_ +
               y * s_.width * kLanes),
        weights_(operands.weights +
                 first_block * s_.taps() * s_.input_blocks() * kLanes * kLanes),
        output_((image * s_.output_blocks() + first_block) * result_plane_ +
                y * s_.width * s_.taps() * kLanes) {}

  // As many pixels at a time as there are registers for sums, and about equally
  // many each time, as few leave the processor waiting for sums.
  void Run() const {
    constexpr int kMax = kBlocks == 3 ? 4 : kBlocks == 2 ? 6 : 8;
    const int64_t steps = (s_.width + kMax - 1) / kMax;
    for (int64_t tap = 0; tap < s_.taps(); ++tap) {
      int64_t x = 0;
      for (int64_t step = 0; step < steps; ++step) {
        const int64_t left = steps - step;
        const int64_t count = (s_.width - x + left - 1) / left;
        ComputeUpTo<kMax>(count, tap, x);
        x += count;
      }
    }
  }

 private:
  // For a number of pixels that is known at run time, 1 to kMax.
  template <int kMax>
  HWY_INLINE void ComputeUpTo(int64_t count, int64_t tap, int64_t x) const {
    if constexpr (kMax > 1) {
      if (count < kMax) {
        ComputeUpTo<kMax - 1>(count, tap, x);
        return;
      }
    }
    Compute<kMax>(tap, x);
  }

  template <int kPixels>
  HWY_INLINE void Compute(int64_t tap, int64_t x) const {
    V sums[kPixels][kBlocks];
    for (int p = 0; p < kPixels; ++p) {
      for (int b = 0; b < kBlocks; ++b) sums[p][b] = hn::Zero(kD);
    }
    const float* weights =
        weights_ + tap * s_.input_blocks() * kBlocks * kLanes * kLanes;
    const float* data = input_ + x * kLanes;
    for (int64_t i = 0; i < s_.input_blocks(); ++i, data += plane_) {
      for (int64_t c = 0; c < kLanes; ++c, weights += kBlocks * kLanes) {
        V w[kBlocks];
        for (int b = 0; b < kBlocks; ++b) {
          w[b] = hn::Load(kD, weights + b * kLanes);
        }
        for (int p = 0; p < kPixels; ++p) {
          const V in = hn::Set(kD, data[p * kLanes + c]);
          for (int b = 0; b < kBlocks; ++b) {
            sums[p][b] = hn::MulAdd(in, w[b], sums[p][b]);
          }
        }
      }
    }
    for (int b = 0; b < kBlocks; ++b) {
      const auto finisher =
          Finisher::OfBlock(operands_.epilogue, (first_block_ + b) * kLanes);
      for (int p = 0; p < kPixels; ++p) {
        const int64_t at = PlaceOf(tap, x + p) + b * result_plane_;
        hn::StoreU(finisher.Finish(sums[p][b], at), kD, operands_.output + at);
      }
    }
  }

  // Of a result of the first block.
  int64_t PlaceOf(int64_t tap, int64_t x) const {
    const int64_t row = tap / s_.columns, column = tap % s_.columns;
    return output_ + ((row * s_.width + x) * s_.columns + column) * kLanes;
  }

  const TransposedTilesShape& s_;
  const ConvolutionOperands& operands_;
  const int64_t first_block_;
  const int64_t plane_, result_plane_;  // elements of a block
  const float *const input_, *const weights_;
  const int64_t output_;  // where the row's results begin
};

void Convolve(const TransposedTilesShape& s,
              const ConvolutionOperands& operands, int64_t first,
              int64_t count) {
  for (int64_t i = first; i < first + count; ++i) {
    const int64_t y = i % s.height, image = i / s.height / s.groups();
    const OutputGroup group(s.output_blocks(), i / s.height % s.groups());
    const int64_t block = group.first_block;
    if (group.blocks == 3) Row<3>(s, operands, image, block, y).Run();
    if (group.blocks == 2) Row<2>(s, operands, image, block, y).Run();
    if (group.blocks == 1) Row<1>(s, operands, image, block, y).Run();
  }
}

#else

void Convolve(const TransposedTilesShape&, const ConvolutionOperands&, int64_t,
              int64_t) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Convolve);

// To [group][tap][input][output of the group], with zeros where blocks end.
void PackTransposedTiles(const TransposedTilesShape& s, const float* weights,
                         float* packed) {
  constexpr int64_t kLanes = TransposedTilesShape::kLanes;
  const int64_t padded_inputs = s.input_blocks() * kLanes;
  for (int64_t g = 0; g < s.groups(); ++g) {
    const OutputGroup group(s.output_blocks(), g);
    const int64_t begin = group.first_block * kLanes;
    const int64_t end = begin + group.blocks * kLanes;
    for (int64_t tap = 0; tap < s.taps(); ++tap) {
      for (int64_t c = 0; c < padded_inputs; ++c) {
        for (int64_t o = begin; o < end; ++o) {
          const bool is_there = c < s.inputs && o < s.outputs;
          *packed++ =
              is_there ? weights[(c * s.outputs + o) * s.taps() + tap] : 0.0f;
        }
      }
    }
  }
}

void ConvolveTransposedTiles(const TransposedTilesShape& shape,
                             const ConvolutionOperands& operands, int64_t first,
                             int64_t count) {
  HWY_DYNAMIC_DISPATCH(Convolve)(shape, operands, first, count);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
