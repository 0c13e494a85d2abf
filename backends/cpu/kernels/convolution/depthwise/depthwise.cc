#include "dovetail/backends/cpu/kernels/convolution/depthwise/depthwise.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/convolution/depthwise/depthwise.cc"
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

int64_t DivideUp(int64_t a, int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; }

// The part of a window that is within the input: taps [begin, end).
struct Taps {
  int64_t begin, end;
};

Taps TapsOf(const WindowAxis& axis, int64_t o) {
  const int64_t first = o * axis.stride - axis.pad;
  return {DivideUp(-first, axis.dilation),
          std::min(axis.kernel, DivideUp(axis.input - first, axis.dilation))};
}

// One row of one block.
class Row {
 public:
  Row(const DepthwiseShape& shape, const ConvolutionOperands& operands,
      int64_t number)
      : rows_(shape.rows),
        columns_(shape.columns),
        y_(number % rows_.output),
        taps_(TapsOf(rows_, y_)),
        plane_(number / rows_.output),
        at_(number * columns_.output * kChannelBlock),
        finisher_(Finisher::OfBlock(operands.epilogue,
                                    plane_ % shape.blocks * kChannelBlock)),
        output_(operands.output) {
    const int64_t block = plane_ % shape.blocks;
    input_ =
        operands.input + plane_ * rows_.input * columns_.input * kChannelBlock;
    weights_ = operands.weights +
               block * rows_.kernel * columns_.kernel * kChannelBlock;
  }

  void Run() const {
    // Windows from `begin` to `end` lie within the input's columns.
    const int64_t reach = (columns_.kernel - 1) * columns_.dilation;
    const int64_t begin =
        std::min(columns_.output, DivideUp(columns_.pad, columns_.stride));
    const int64_t last = columns_.input - 1 - reach + columns_.pad;
    const int64_t end = last < 0 ? begin
                                 : std::clamp(last / columns_.stride + 1, begin,
                                              columns_.output);
    const Taps whole = {0, columns_.kernel};
    int64_t x = 0;
    for (; x < begin; ++x) Compute<1>(x, TapsOf(columns_, x));
    for (; x + 8 <= end; x += 8) Compute<8>(x, whole);
    for (; x < end; ++x) Compute<1>(x, whole);
    for (; x < columns_.output; ++x) Compute<1>(x, TapsOf(columns_, x));
  }

 private:
  template <int kCount>
  HWY_INLINE void Compute(int64_t x, const Taps& taps) const {
    V sums[kCount];
    for (int i = 0; i < kCount; ++i) sums[i] = hn::Zero(kD);
    const int64_t left = x * columns_.stride - columns_.pad;
    const int64_t top = y_ * rows_.stride - rows_.pad;
    const int64_t step = columns_.stride * kChannelBlock;
    for (int64_t r = taps_.begin; r < taps_.end; ++r) {
      const float* const row =
          input_ +
          ((top + r * rows_.dilation) * columns_.input + left) * kChannelBlock;
      for (int64_t c = taps.begin; c < taps.end; ++c) {
        const V weight =
            hn::LoadU(kD, weights_ + (r * columns_.kernel + c) * kChannelBlock);
        const float* const at = row + c * columns_.dilation * kChannelBlock;
        for (int i = 0; i < kCount; ++i) {
          sums[i] = hn::MulAdd(hn::LoadU(kD, at + i * step), weight, sums[i]);
        }
      }
    }
    for (int i = 0; i < kCount; ++i) {
      const int64_t at = at_ + (x + i) * kChannelBlock;
      hn::StoreU(finisher_.Finish(sums[i], at), kD, output_ + at);
    }
  }

  const WindowAxis &rows_, &columns_;
  const int64_t y_;
  const Taps taps_;  // of rows
  const int64_t plane_, at_;
  const Finisher finisher_;
  const float *input_, *weights_;
  float* const output_;
};

void Convolve(const DepthwiseShape& shape, const ConvolutionOperands& operands,
              int64_t first, int64_t count) {
  for (int64_t i = first; i < first + count; ++i) {
    Row(shape, operands, i).Run();
  }
}

#else

void Convolve(const DepthwiseShape&, const ConvolutionOperands&, int64_t,
              int64_t) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Convolve);

void ConvolveDepthwiseRows(const DepthwiseShape& shape,
                           const ConvolutionOperands& operands, int64_t first,
                           int64_t count) {
  HWY_DYNAMIC_DISPATCH(Convolve)(shape, operands, first, count);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
