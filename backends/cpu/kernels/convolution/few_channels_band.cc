#include "dovetail/backends/cpu/kernels/convolution/few_channels_band.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/convolution/output_group.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/convolution/few_channels_band.cc"
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
constexpr int64_t kLanes = 8;
constexpr int64_t kTogether = kFewChannelsTogether;

// A row of windows: the first one in the copy, and its result.
struct RowOfWindows {
  const float* data;
  int64_t at;  // from the output's begin
};

// ---- Results in blocks: 8 outputs are a vector ----

class BlockedKernel {
 public:
  BlockedKernel(const FewChannelsConvolution& convolution,
                const ConvolutionOperands& operands)
      : offsets_(convolution.offsets().data()),
        taps_(convolution.shape().taps()),
        stride_(convolution.shape().columns.stride),
        count_(convolution.shape().columns.output),
        plane_(convolution.shape().rows.output * count_ * kLanes),
        operands_(operands) {}

  // `at` is that of the group's first block.
  void RunRow(const OutputGroup& group, const RowOfWindows& row) const {
    switch (group.blocks) {
      case 3:
        return RunBlocks<4, 3>(group, row);
      case 2:
        return RunBlocks<6, 2>(group, row);
      default:
        return RunBlocks<8, 1>(group, row);
    }
  }

 private:
  template <int kMax, int kBlocks>
  void RunBlocks(const OutputGroup& group, const RowOfWindows& row) const {
    const float* weights =
        operands_.weights + group.first_block * kLanes * taps_;
    int64_t x = 0;
    for (; x + kMax <= count_; x += kMax) {
      Compute<kMax, kBlocks>(group, weights, row, x);
    }
    if (x < count_) RunRest<kMax - 1, kBlocks>(group, weights, row, x);
  }

  template <int kMax, int kBlocks>
  void RunRest(const OutputGroup& group, const float* weights,
               const RowOfWindows& row, int64_t x) const {
    if constexpr (kMax > 1) {
      if (count_ - x < kMax) {
        return RunRest<kMax - 1, kBlocks>(group, weights, row, x);
      }
    }
    Compute<kMax, kBlocks>(group, weights, row, x);
  }

  template <int kPixels, int kBlocks>
  HWY_INLINE void Compute(const OutputGroup& group, const float* weights,
                          const RowOfWindows& row, int64_t x) const {
    HWY_ALIGN float sums[kPixels * kBlocks * kLanes];
    Sum<kPixels, kBlocks>(row.data + x * stride_, weights, sums);
    for (int b = 0; b < kBlocks; ++b) {
      const Finisher finisher = Finisher::OfBlock(
          operands_.epilogue, (group.first_block + b) * kLanes);
      for (int i = 0; i < kPixels; ++i) {
        const int64_t at = row.at + b * plane_ + (x + i) * kLanes;
        const V sum = hn::Load(kD, sums + (i * kBlocks + b) * kLanes);
        hn::StoreU(finisher.Finish(sum, at), kD, operands_.output + at);
      }
    }
  }

  // Apart from what follows, whose constants would take registers.
  template <int kPixels, int kBlocks>
  HWY_NOINLINE void Sum(const float* data, const float* weights,
                        float* out) const {
    V sums[kPixels][kBlocks];
    for (int i = 0; i < kPixels; ++i) {
      for (int b = 0; b < kBlocks; ++b) sums[i][b] = hn::Zero(kD);
    }
    for (int64_t t = 0; t < taps_; ++t, weights += kBlocks * kLanes) {
      const float* const tap = data + offsets_[t];
      V w[kBlocks];
      for (int b = 0; b < kBlocks; ++b) {
        w[b] = hn::Load(kD, weights + b * kLanes);
      }
      for (int i = 0; i < kPixels; ++i) {
        const V value = hn::Set(kD, tap[i * stride_]);
        for (int b = 0; b < kBlocks; ++b) {
          sums[i][b] = hn::MulAdd(value, w[b], sums[i][b]);
        }
      }
    }
    for (int i = 0; i < kPixels; ++i) {
      for (int b = 0; b < kBlocks; ++b) {
        hn::Store(sums[i][b], kD, out + (i * kBlocks + b) * kLanes);
      }
    }
  }

  const int32_t* const offsets_;
  const int64_t taps_, stride_, count_, plane_;
  const ConvolutionOperands& operands_;
};

// ---- Planar results: 8 columns are a vector ----

class PlanarKernel {
 public:
  PlanarKernel(const FewChannelsConvolution& convolution,
               const ConvolutionOperands& operands)
      : offsets_(convolution.offsets().data()),
        taps_(convolution.shape().taps()),
        count_(convolution.shape().columns.output),
        plane_(convolution.shape().rows.output * count_),
        operands_(operands) {}

  // Of `outputs` channels from number `first` on, up to kTogether.
  void RunRow(int64_t first, int64_t outputs, const RowOfWindows& row) const {
    switch (outputs) {
      case 4:
        return RunOutputs<4, 3>(first, row);
      case 3:
        return RunOutputs<3, 4>(first, row);
      case 2:
        return RunOutputs<2, 6>(first, row);
      default:
        return RunOutputs<1, 8>(first, row);
    }
  }

 private:
  template <int kOutputs, int kVectors>
  void RunOutputs(int64_t first, const RowOfWindows& row) const {
    constexpr int64_t kColumns = kVectors * kLanes;
    int64_t x = 0;
    for (; x + kColumns <= count_; x += kColumns) {
      Compute<kOutputs, kVectors>(first, row, x);
    }
    for (; x < count_; x += kLanes) Compute<kOutputs, 1>(first, row, x);
  }

  template <int kOutputs, int kVectors>
  HWY_INLINE void Compute(int64_t first, const RowOfWindows& row,
                          int64_t x) const {
    HWY_ALIGN float sums[kOutputs * kVectors * kLanes];
    Sum<kOutputs, kVectors>(row.data + x, operands_.weights + first * taps_,
                            sums);
    for (int o = 0; o < kOutputs; ++o) {
      const Finisher finisher =
          Finisher::OfChannel(operands_.epilogue, first + o);
      for (int i = 0; i < kVectors; ++i) {
        Store(finisher, hn::Load(kD, sums + (o * kVectors + i) * kLanes),
              row.at + o * plane_, x + i * kLanes);
      }
    }
  }

  template <int kOutputs, int kVectors>
  HWY_NOINLINE void Sum(const float* data, const float* weights,
                        float* out) const {
    V sums[kOutputs][kVectors];
    for (int o = 0; o < kOutputs; ++o) {
      for (int i = 0; i < kVectors; ++i) sums[o][i] = hn::Zero(kD);
    }
    for (int64_t t = 0; t < taps_; ++t, weights += kOutputs) {
      const float* const tap = data + offsets_[t];
      V values[kVectors];
      for (int i = 0; i < kVectors; ++i) {
        values[i] = hn::LoadU(kD, tap + i * kLanes);
      }
      for (int o = 0; o < kOutputs; ++o) {
        const V weight = hn::Set(kD, weights[o]);
        for (int i = 0; i < kVectors; ++i) {
          sums[o][i] = hn::MulAdd(values[i], weight, sums[o][i]);
        }
      }
    }
    for (int o = 0; o < kOutputs; ++o) {
      for (int i = 0; i < kVectors; ++i) {
        hn::Store(sums[o][i], kD, out + (o * kVectors + i) * kLanes);
      }
    }
  }

  // Columns that there are, of eight.
  HWY_INLINE void Store(const Finisher& finisher, V sum, int64_t row,
                        int64_t x) const {
    const int64_t left = count_ - x, at = row + x;
    if (left >= kLanes) {
      hn::StoreU(finisher.Finish(sum, at), kD, operands_.output + at);
    } else {
      hn::BlendedStore(finisher.FinishSome(sum, at, left),
                       hn::FirstN(kD, static_cast<size_t>(left)), kD,
                       operands_.output + at);
    }
  }

  const int32_t* const offsets_;
  const int64_t taps_, count_, plane_;
  const ConvolutionOperands& operands_;
};

void RunBand(const FewChannelsConvolution& convolution,
             const ConvolutionOperands& operands,
             const FewChannelsConvolution::Band& band, const float* copy) {
  const FewChannelsShape& s = convolution.shape();
  const int64_t width = s.columns.output;
  const int64_t step = s.rows.stride * convolution.row_step();
  if (s.is_blocked) {
    const BlockedKernel kernel(convolution, operands);
    for (int64_t g = 0; g < OutputGroup::Count(s.outputs); ++g) {
      const OutputGroup group(s.outputs, g);
      const int64_t plane =
          band.n * ChannelBlocks(s.outputs) + group.first_block;
      for (int64_t r = 0; r < band.rows; ++r) {
        const int64_t y = plane * s.rows.output + band.first + r;
        kernel.RunRow(group, {copy + r * step, y * width * kLanes});
      }
    }
    return;
  }
  const PlanarKernel kernel(convolution, operands);
  for (int64_t r = 0; r < band.rows; ++r) {
    for (int64_t o = 0; o < s.outputs; o += kTogether) {
      const int64_t y =
          (band.n * s.outputs + o) * s.rows.output + band.first + r;
      kernel.RunRow(o, std::min(kTogether, s.outputs - o),
                    {copy + r * step, y * width});
    }
  }
}

#else

void RunBand(const FewChannelsConvolution&, const ConvolutionOperands&,
             const FewChannelsConvolution::Band&, const float*) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(RunBand);

void RunFewChannelsBand(const FewChannelsConvolution& convolution,
                        const ConvolutionOperands& operands,
                        const FewChannelsConvolution::Band& band,
                        const float* copy) {
  HWY_DYNAMIC_DISPATCH(RunBand)(convolution, operands, band, copy);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
