#include "dovetail/core/reference/convolution/deformable_convolution.h"

#include <algorithm>
#include <cmath>

#include "dovetail/core/ops/convolution/deformable_convolution.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"

namespace dovetail {
namespace {

// A plane of the data that is read between its elements.
template <typename T>
struct Plane {
  const T* data;
  int64_t height, width;

  T At(int64_t y, int64_t x) const {
    const bool inside = y >= 0 && y < height && x >= 0 && x < width;
    return inside ? data[y * width + x] : T{0};
  }

  // Bilinear between the four neighbours; zero outside. Within one element of
  // the border `blend_with_zeros` counts as inside, with zeros as neighbours;
  // otherwise the border's own elements stand in for those beyond.
  T Sample(T y, T x, bool blend_with_zeros) const {
    const T margin = blend_with_zeros ? T{-1} : T{0};
    const bool inside_y = blend_with_zeros ? y > margin : y >= margin;
    const bool inside_x = blend_with_zeros ? x > margin : x >= margin;
    if (!inside_y || !inside_x || !(y < static_cast<T>(height)) ||
        !(x < static_cast<T>(width))) {
      return T{0};
    }
    const int64_t top = static_cast<int64_t>(std::floor(y));
    const int64_t left = static_cast<int64_t>(std::floor(x));
    int64_t bottom = top + 1, right = left + 1;
    if (!blend_with_zeros) {
      bottom = std::min(bottom, height - 1);
      right = std::min(right, width - 1);
    }
    const T down = y - static_cast<T>(top), along = x - static_cast<T>(left);
    return (1 - down) * ((1 - along) * At(top, left) + along * At(top, right)) +
           down * ((1 - along) * At(bottom, left) + along * At(bottom, right));
  }
};

template <typename T>
class DeformableLoop {
 public:
  explicit DeformableLoop(const KernelContext& context)
      : data_(context.input(0).data<T>()),
        offsets_(context.input(1).data<T>()),
        kernel_(context.input(2).data<T>()),
        mask_(context.has_input(3) ? context.input(3).data<T>() : nullptr),
        output_(context.output(0).mutable_data<T>()) {
    const auto& attributes = DeformableAttributesOf(context.node());
    const auto* newer = context.node().As<DeformableConvolution8Attributes>();
    blend_with_zeros_ = newer != nullptr && newer->bilinear_interpolation_pad;
    const Shape& data = context.input(0).shape();
    const Shape& kernel = context.input(2).shape();
    const Shape& output = context.output(0).shape();
    channels_ = data[1];
    outputs_ = output[1];
    group_inputs_ = kernel[1];
    group_outputs_ = outputs_ / attributes.group;
    offset_groups_ = attributes.deformable_group;
    offset_group_inputs_ = channels_ / offset_groups_;
    y_ = ResolveWindow(attributes.window, 0, data[2], kernel[2], output[2]);
    x_ = ResolveWindow(attributes.window, 1, data[3], kernel[3], output[3]);
  }

  int64_t rows_per_image() const { return y_.output; }
  int64_t cost() const {
    return x_.output * outputs_ * group_inputs_ * taps() * 8;
  }

  // One row of one image, all channels of the output.
  void Run(int64_t batch, int64_t oy) const {
    std::vector<T> samples(channels_ * taps());
    for (int64_t ox = 0; ox < x_.output; ++ox) {
      SampleWindow(batch, oy, ox, samples.data());
      for (int64_t channel = 0; channel < outputs_; ++channel) {
        const int64_t group = channel / group_outputs_;
        const int64_t count = group_inputs_ * taps();
        const T* inputs = samples.data() + group * count;
        const T* weights = kernel_ + channel * count;
        T sum{0};
        for (int64_t i = 0; i < count; ++i) sum += inputs[i] * weights[i];
        output_[((batch * outputs_ + channel) * y_.output + oy) * x_.output +
                ox] = sum;
      }
    }
  }

 private:
  int64_t taps() const { return y_.kernel * x_.kernel; }

  // The elements that one window sees, [channels, taps].
  void SampleWindow(int64_t batch, int64_t oy, int64_t ox, T* samples) const {
    const int64_t positions = y_.output * x_.output;
    const int64_t position = oy * x_.output + ox;
    for (int64_t channel = 0; channel < channels_; ++channel) {
      const Plane<T> plane{
          data_ + (batch * channels_ + channel) * y_.input * x_.input,
          y_.input, x_.input};
      const int64_t first =
          (batch * offset_groups_ + channel / offset_group_inputs_) * taps();
      for (int64_t tap = 0; tap < taps(); ++tap) {
        const T* offset =
            offsets_ + (first + tap) * 2 * positions + position;
        const T y = offset[0] + static_cast<T>(y_.Begin(oy) +
                                               tap / x_.kernel * y_.dilation);
        const T x =
            offset[positions] +
            static_cast<T>(x_.Begin(ox) + tap % x_.kernel * x_.dilation);
        T sample = plane.Sample(y, x, blend_with_zeros_);
        if (mask_ != nullptr) {
          sample *= mask_[(first + tap) * positions + position];
        }
        *samples++ = sample;
      }
    }
  }

  const T* data_;
  const T* offsets_;
  const T* kernel_;
  const T* mask_;
  T* output_;
  bool blend_with_zeros_;
  int64_t channels_, outputs_, group_inputs_, group_outputs_;
  int64_t offset_groups_, offset_group_inputs_;
  WindowAxis y_, x_;
};

}  // namespace

absl::Status DeformableConvolutionKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  return WithWideTypes(context, 0, [](KernelContext& wide) {
    return DispatchWideFloat(wide.input(0).type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const DeformableLoop<T> loop(wide);
      const int64_t rows = loop.rows_per_image();
      ParallelLoop(wide, wide.output(0).shape()[0] * rows, loop.cost(),
                   [&](int64_t i, int64_t end) {
                     for (; i < end; ++i) loop.Run(i / rows, i % rows);
                   });
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
