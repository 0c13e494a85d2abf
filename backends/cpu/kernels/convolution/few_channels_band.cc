#include "dovetail/backends/cpu/kernels/convolution/few_channels_band.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/convolution/channel_strides.h"
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
constexpr int64_t kLanes = HWY_MAX_BYTES / sizeof(float);
using D = hn::FixedTag<float, kLanes>;
using V = hn::Vec<D>;
constexpr D kD;
constexpr int64_t kTogether = kFewChannelsTogether;
// With 32 registers, and not 16, more sums than with 8 lanes.
constexpr bool kIsWide = kLanes == 16;

// A row of windows: the first one in the copy, and its result.
struct RowOfWindows {
  const float* data;
  int64_t at;  // from the output's begin
};

// The first `count` results of a vector of sums, to output[at] on.
HWY_INLINE void StoreSome(const FinisherOf<D>& finisher, V sum, int64_t at,
                          int64_t count, float* output) {
  if (count >= kLanes) {
    hn::StoreU(finisher.Finish(sum, at), kD, output + at);
  } else {
    hn::BlendedStore(finisher.FinishSome(sum, at, count),
                     hn::FirstN(kD, static_cast<size_t>(count)), kD,
                     output + at);
  }
}

// ---- Results whose channels are side by side: outputs are a vector ----

class ChannelsKernel {
 public:
  ChannelsKernel(const FewChannelsConvolution& convolution,
                 const ConvolutionOperands& operands)
      : offsets_(convolution.offsets().data()),
        taps_(convolution.shape().taps()),
        stride_(convolution.shape().columns.stride),
        count_(convolution.shape().columns.output),
        to_(convolution.shape().result == FewChannelsShape::Result::kBlocked,
            convolution.shape().outputs, kLanes,
            convolution.shape().rows.output * count_),
        operands_(operands) {}

  // Row `y` of image `n`, of windows that begin at `data`.
  void RunRow(const OutputGroup& group, int64_t n, int64_t y,
              const float* data) const {
    const RowOfWindows row = {
        data,
        n * to_.image + group.first_block * to_.block + y * count_ * to_.pixel};
    switch (group.blocks) {
      case 3:
        return RunBlocks < kIsWide ? 8 : 4, 3 > (group, row);
      case 2:
        return RunBlocks < kIsWide ? 12 : 6, 2 > (group, row);
      default:
        return RunBlocks < kIsWide ? 16 : 8, 1 > (group, row);
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
      const auto finisher = FinisherOf<D>::OfBlock(
          operands_.epilogue, (group.first_block + b) * kLanes);
      const int64_t channels = to_.ChannelsOf(group.first_block + b);
      for (int i = 0; i < kPixels; ++i) {
        StoreSome(finisher, hn::Load(kD, sums + (i * kBlocks + b) * kLanes),
                  row.at + b * to_.block + (x + i) * to_.pixel, channels,
                  operands_.output);
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
  const int64_t taps_, stride_, count_;
  const ChannelStrides to_;
  const ConvolutionOperands& operands_;
};

// ---- Planar results: columns side by side are a vector ----

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
        return RunOutputs < 4, kIsWide ? 6 : 3 > (first, row);
      case 3:
        return RunOutputs < 3, kIsWide ? 7 : 4 > (first, row);
      case 2:
        return RunOutputs < 2, kIsWide ? 10 : 6 > (first, row);
      default:
        return RunOutputs < 1, kIsWide ? 14 : 8 > (first, row);
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
    if (x < count_) RunRest<kOutputs, kVectors - 1>(first, row, x);
  }

  // What is left: as many of kVectors + 1 vectors as it takes.
  template <int kOutputs, int kVectors>
  void RunRest(int64_t first, const RowOfWindows& row, int64_t x) const {
    if constexpr (kVectors > 0) {
      if (count_ - x <= kVectors * kLanes) {
        return RunRest<kOutputs, kVectors - 1>(first, row, x);
      }
    }
    Compute<kOutputs, kVectors + 1>(first, row, x);
  }

  template <int kOutputs, int kVectors>
  HWY_INLINE void Compute(int64_t first, const RowOfWindows& row,
                          int64_t x) const {
    HWY_ALIGN float sums[kOutputs * kVectors * kLanes];
    Sum<kOutputs, kVectors>(row.data + x, operands_.weights + first * taps_,
                            sums);
    for (int o = 0; o < kOutputs; ++o) {
      const auto finisher =
          FinisherOf<D>::OfChannel(operands_.epilogue, first + o);
      for (int i = 0; i < kVectors; ++i) {
        const int64_t at = x + i * kLanes;
        StoreSome(finisher, hn::Load(kD, sums + (o * kVectors + i) * kLanes),
                  row.at + o * plane_ + at, count_ - at, operands_.output);
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
  if (s.result != FewChannelsShape::Result::kPlanar) {
    const ChannelsKernel kernel(convolution, operands);
    const int64_t blocks = convolution.output_blocks();
    for (int64_t g = 0; g < OutputGroup::Count(blocks); ++g) {
      const OutputGroup group(blocks, g);
      for (int64_t r = 0; r < band.rows; ++r) {
        kernel.RunRow(group, band.n, band.first + r, copy + r * step);
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

// Of images, which have three channels, as many as vectors hold; how many those
// were.
int64_t SeparateThree(const float* from, int64_t count, int64_t plane,
                      float* to) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    V a, b, c;
    hn::LoadInterleaved3(kD, from + 3 * i, a, b, c);
    hn::StoreU(a, kD, to + i);
    hn::StoreU(b, kD, to + i + plane);
    hn::StoreU(c, kD, to + i + 2 * plane);
  }
  return i;
}

using D8 = hn::FixedTag<uint8_t, kLanes>;

HWY_INLINE V OfBytes(hn::Vec<D8> bytes, float added, float factor) {
  const hn::RebindToSigned<D> to_int;
  const V numbers = hn::ConvertTo(kD, hn::PromoteTo(to_int, bytes));
  return hn::Mul(hn::Add(numbers, hn::Set(kD, added)), hn::Set(kD, factor));
}

int64_t SeparateThreeBytes(const uint8_t* from, int64_t count,
                           const FewChannelsShape& shape, int64_t plane,
                           float* to) {
  const float* const added = shape.added.data();
  const float* const factors = shape.factors.data();
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    hn::Vec<D8> a, b, c;
    hn::LoadInterleaved3(D8(), from + 3 * i, a, b, c);
    hn::StoreU(OfBytes(a, added[0], factors[0]), kD, to + i);
    hn::StoreU(OfBytes(b, added[1], factors[1]), kD, to + i + plane);
    hn::StoreU(OfBytes(c, added[2], factors[2]), kD, to + i + 2 * plane);
  }
  return i;
}

int64_t VectorLanes() { return kLanes; }

#else

int64_t SeparateThree(const float*, int64_t, int64_t, float*) { return 0; }

int64_t SeparateThreeBytes(const uint8_t*, int64_t, const FewChannelsShape&,
                           int64_t, float*) {
  return 0;
}

int64_t VectorLanes() { return 0; }

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
HWY_EXPORT(SeparateThree);
HWY_EXPORT(SeparateThreeBytes);
HWY_EXPORT(VectorLanes);

int64_t FewChannelsVectorLanes() { return HWY_DYNAMIC_DISPATCH(VectorLanes)(); }

void RunFewChannelsBand(const FewChannelsConvolution& convolution,
                        const ConvolutionOperands& operands,
                        const FewChannelsConvolution::Band& band,
                        const float* copy) {
  HWY_DYNAMIC_DISPATCH(RunBand)(convolution, operands, band, copy);
}

void SeparateChannels(const float* from, int64_t count, int64_t channels,
                      int64_t plane, float* to) {
  int64_t i = 0;
  if (channels == 3) {
    i = HWY_DYNAMIC_DISPATCH(SeparateThree)(from, count, plane, to);
  }
  for (; i < count; ++i) {
    for (int64_t c = 0; c < channels; ++c) {
      to[c * plane + i] = from[i * channels + c];
    }
  }
}

void SeparateBytes(const uint8_t* from, int64_t count,
                   const FewChannelsShape& shape, int64_t plane, float* to) {
  int64_t i = 0;
  if (shape.inputs == 3) {
    i = HWY_DYNAMIC_DISPATCH(SeparateThreeBytes)(from, count, shape, plane, to);
  }
  for (; i < count; ++i) {
    for (int64_t c = 0; c < shape.inputs; ++c) {
      const auto number = static_cast<float>(from[i * shape.inputs + c]);
      to[c * plane + i] = (number + shape.added[c]) * shape.factors[c];
    }
  }
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
