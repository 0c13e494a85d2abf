#include "dovetail/backends/cpu/kernels/convolution/transposed/transposed.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/convolution/transposed/transposed.cc"
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

// What reaches the outputs number `phase`, phase + stride, … along an axis:
// each `step`-th tap from `first` on, where output number phase + j * stride
// gets input number j + shift - drop * t from tap number first + t * step.
struct Phase {
  Phase(const WindowAxis& axis, int64_t phase) {
    while (first < axis.kernel && Rest(axis, phase, first) != 0) {
      if (++first == axis.stride) first = axis.kernel;  // none ever
    }
    if (first >= axis.kernel) return;
    step = 1;
    while (axis.dilation * step % axis.stride != 0) ++step;
    count = (axis.kernel - first + step - 1) / step;
    shift = (phase + axis.pad - first * axis.dilation) / axis.stride;
    drop = step * axis.dilation / axis.stride;
  }

  static int64_t Rest(const WindowAxis& axis, int64_t phase, int64_t tap) {
    return (phase + axis.pad - tap * axis.dilation) % axis.stride;
  }

  int64_t first = 0, step = 1, count = 0;
  int64_t shift = 0, drop = 0;
};

// One row of one block.
class Row {
 public:
  Row(const TransposedShape& shape, const ConvolutionOperands& operands,
      int64_t number)
      : shape_(shape),
        rows_(shape.rows),
        columns_(shape.columns),
        y_(number % rows_.output),
        row_phase_(rows_, y_ % rows_.stride),
        block_(number / rows_.output % shape.output_blocks()),
        channels_(shape.is_depthwise()
                      ? TransposedShape::Channels{block_ * kChannelBlock, 0}
                      : shape.InputsOf(block_)),
        width_(shape.is_depthwise() ? 1 : shape.width()),
        at_(number * columns_.output * kChannelBlock),
        finisher_(Finisher::OfBlock(operands.epilogue, block_ * kChannelBlock)),
        output_(operands.output) {
    const int64_t image = number / rows_.output / shape.output_blocks();
    plane_ = rows_.input * columns_.input * kChannelBlock;
    input_ = operands.input + image * shape.input_blocks() * plane_;
    weights_ =
        operands.weights + block_ * shape.taps() * width_ * kChannelBlock;
  }

  void Run() const {
    for (int64_t x = 0; x < std::min(columns_.stride, columns_.output); ++x) {
      RunPhase(x, Phase(columns_, x));
    }
  }

 private:
  void RunPhase(int64_t x, const Phase& phase) const {
    const int64_t count = (columns_.output - x - 1) / columns_.stride + 1;
    const int64_t lowest = phase.shift - phase.drop * (phase.count - 1);
    // All taps of outputs from `begin` to `end` are within the input.
    const int64_t begin = std::clamp<int64_t>(-lowest, 0, count);
    const int64_t end =
        std::clamp<int64_t>(columns_.input - phase.shift, begin, count);
    int64_t j = 0;
    for (; j < begin; ++j) Compute<1, true>(x, j, phase);
    for (; j + 8 <= end; j += 8) Compute<8, false>(x, j, phase);
    for (; j < end; ++j) Compute<1, false>(x, j, phase);
    for (; j < count; ++j) Compute<1, true>(x, j, phase);
  }

  // Outputs x + j * stride and those of the same phase that follow; with
  // kChecked only what is within the input.
  template <int kCount, bool kChecked>
  HWY_INLINE void Compute(int64_t x, int64_t j, const Phase& phase) const {
    V sums[kCount];
    for (int i = 0; i < kCount; ++i) sums[i] = hn::Zero(kD);
    for (int64_t r = 0; r < row_phase_.count; ++r) {
      const int64_t in_y =
          y_ / rows_.stride + row_phase_.shift - r * row_phase_.drop;
      if (in_y < 0 || in_y >= rows_.input) continue;
      const int64_t tap_row =
          (row_phase_.first + r * row_phase_.step) * columns_.kernel;
      for (int64_t c = 0; c < phase.count; ++c) {
        const int64_t in_x = j + phase.shift - c * phase.drop;
        if (kChecked && (in_x < 0 || in_x >= columns_.input)) continue;
        AddTap<kCount>(tap_row + phase.first + c * phase.step,
                       (in_y * columns_.input + in_x) * kChannelBlock, sums);
      }
    }
    for (int i = 0; i < kCount; ++i) {
      const int64_t at = at_ + (x + (j + i) * columns_.stride) * kChannelBlock;
      hn::StoreU(finisher_.Finish(sums[i], at), kD, output_ + at);
    }
  }

  // `place`: of the first input in its plane.
  template <int kCount>
  HWY_INLINE void AddTap(int64_t tap, int64_t place, V (&sums)[kCount]) const {
    const float* weights = weights_ + tap * width_ * kChannelBlock;
    if (shape_.is_depthwise()) {
      const V weight = hn::LoadU(kD, weights);
      const float* const from = input_ + block_ * plane_ + place;
      for (int i = 0; i < kCount; ++i) {
        const V in = hn::LoadU(kD, from + i * kChannelBlock);
        sums[i] = hn::MulAdd(in, weight, sums[i]);
      }
      return;
    }
    for (int64_t c = channels_.begin; c < channels_.end; ++c) {
      const V weight = hn::LoadU(kD, weights);
      weights += kChannelBlock;
      const float* const from =
          input_ + c / kChannelBlock * plane_ + place + c % kChannelBlock;
      for (int i = 0; i < kCount; ++i) {
        const V in = hn::Set(kD, from[i * kChannelBlock]);
        sums[i] = hn::MulAdd(in, weight, sums[i]);
      }
    }
  }

  const TransposedShape& shape_;
  const WindowAxis &rows_, &columns_;
  const int64_t y_;
  const Phase row_phase_;
  const int64_t block_;
  const TransposedShape::Channels channels_;
  const int64_t width_, at_;
  const Finisher finisher_;
  const float *input_, *weights_;
  int64_t plane_;  // elements of a block of the input
  float* const output_;
};

void Convolve(const TransposedShape& shape, const ConvolutionOperands& operands,
              int64_t first, int64_t count) {
  for (int64_t i = first; i < first + count; ++i) {
    Row(shape, operands, i).Run();
  }
}

#else

void Convolve(const TransposedShape&, const ConvolutionOperands&, int64_t,
              int64_t) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Convolve);

int64_t TransposedShape::input_blocks() const {
  return ChannelBlocks(groups * inputs);
}

int64_t TransposedShape::output_blocks() const {
  return ChannelBlocks(groups * outputs);
}

TransposedShape::Channels TransposedShape::InputsOf(int64_t block) const {
  const int64_t first = block * kChannelBlock;
  const int64_t last = std::min(groups * outputs, first + kChannelBlock) - 1;
  return {first / outputs * inputs, (last / outputs + 1) * inputs};
}

int64_t TransposedShape::width() const {
  int64_t most = 0;
  for (int64_t block = 0; block < output_blocks(); ++block) {
    const Channels channels = InputsOf(block);
    most = std::max(most, channels.end - channels.begin);
  }
  return most;
}

int64_t PackedTransposedWeights(const TransposedShape& shape) {
  const int64_t width = shape.is_depthwise() ? 1 : shape.width();
  return shape.output_blocks() * shape.taps() * width * kChannelBlock;
}

void PackTransposedWeights(const TransposedShape& shape, const float* from,
                           float* to) {
  const bool is_depthwise = shape.is_depthwise();
  const int64_t width = is_depthwise ? 1 : shape.width();
  const int64_t taps = shape.taps();
  std::fill_n(to, PackedTransposedWeights(shape), 0.0f);
  for (int64_t c = 0; c < shape.groups * shape.inputs; ++c) {
    for (int64_t o = 0; o < shape.outputs; ++o) {
      const int64_t output = c / shape.inputs * shape.outputs + o;
      const int64_t block = output / kChannelBlock;
      const int64_t begin = is_depthwise ? c : shape.InputsOf(block).begin;
      for (int64_t tap = 0; tap < taps; ++tap) {
        to[((block * taps + tap) * width + c - begin) * kChannelBlock +
           output % kChannelBlock] = *from++;
      }
    }
  }
}

void ConvolveTransposedRows(const TransposedShape& shape,
                            const ConvolutionOperands& operands, int64_t first,
                            int64_t count) {
  HWY_DYNAMIC_DISPATCH(Convolve)(shape, operands, first, count);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
