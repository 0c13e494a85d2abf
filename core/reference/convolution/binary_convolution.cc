#include "dovetail/core/reference/convolution/binary_convolution.h"

#include <type_traits>
#include <vector>

#include "dovetail/core/ops/convolution/binary_convolution.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/dispatch.h"

namespace dovetail {
namespace {

struct BinaryGeometry {
  int64_t inputs, outputs;
  WindowAxis y, x;
};

// For one window: how many bits agree minus how many do not. An element around
// the input counts as `pad_value` where the kernel's bit is 1, else as its
// negative. `data` and `kernel` are [inputs, y, x].
double Agreement(const BinaryGeometry& geometry, const uint8_t* data,
                 const uint8_t* kernel, double pad_value, int64_t oy,
                 int64_t ox) {
  const WindowAxis& y = geometry.y;
  const WindowAxis& x = geometry.x;
  int64_t inside_sum = 0, outside_sum = 0;
  for (int64_t input = 0; input < geometry.inputs; ++input) {
    for (int64_t ky = 0; ky < y.kernel; ++ky) {
      const int64_t iy = y.Begin(oy) + ky * y.dilation;
      const bool inside_y = iy >= 0 && iy < y.input;
      for (int64_t kx = 0; kx < x.kernel; ++kx) {
        const uint8_t bit = *kernel++;
        const int64_t ix = x.Begin(ox) + kx * x.dilation;
        if (inside_y && ix >= 0 && ix < x.input) {
          const uint8_t element = data[(input * y.input + iy) * x.input + ix];
          inside_sum += element == bit ? 1 : -1;
        } else {
          outside_sum += bit == 1 ? 1 : -1;
        }
      }
    }
  }
  return static_cast<double>(inside_sum) +
         pad_value * static_cast<double>(outside_sum);
}

// The bits of a kernel. Unlike everywhere else the first element of a byte is
// its lowest bit: models with this operation are written so.
std::vector<uint8_t> KernelBits(const Tensor& kernel) {
  const auto* bytes = static_cast<const uint8_t*>(kernel.raw_data());
  std::vector<uint8_t> bits(kernel.element_count());
  for (size_t i = 0; i < bits.size(); ++i) bits[i] = bytes[i / 8] >> i % 8 & 1;
  return bits;
}

// The elements as bits: whether they are positive.
template <typename T>
std::vector<uint8_t> Bits(const Tensor& tensor) {
  const absl::Span<const T> elements = tensor.span<T>();
  std::vector<uint8_t> bits(elements.size());
  for (size_t i = 0; i < bits.size(); ++i) bits[i] = elements[i] > T(0);
  return bits;
}

// A sum as an element of the output; integers wrap.
template <typename T>
T FromSum(double sum) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<int64_t>(sum));
  } else {
    return static_cast<T>(sum);
  }
}

}  // namespace

absl::Status BinaryConvolutionKernel(KernelContext& context) {
  const auto& attributes = context.attributes<BinaryConvolutionAttributes>();
  const Shape& data = context.input(0).shape();
  const Shape& kernel = context.input(1).shape();
  const Tensor& output = context.output(0);
  if (output.element_count() == 0) return absl::OkStatus();
  const std::vector<uint8_t> weights = KernelBits(context.input(1));
  BinaryGeometry geometry{kernel[1], kernel[0], {}, {}};
  geometry.y = ResolveWindow(attributes.window, 0, data[2], kernel[2],
                             output.shape()[2]);
  geometry.x = ResolveWindow(attributes.window, 1, data[3], kernel[3],
                             output.shape()[3]);
  const int64_t kernel_size = data[1] * kernel[2] * kernel[3];
  const int64_t image_size = data[1] * data[2] * data[3];
  const int64_t width = geometry.x.output;
  return DispatchNumeric(output.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const std::vector<uint8_t> bits = Bits<T>(context.input(0));
    T* out = output.mutable_data<T>();
    const int64_t rows = output.element_count() / width;
    ParallelLoop(context, rows, width * kernel_size, [&](int64_t i,
                                                         int64_t end) {
      for (; i < end; ++i) {
        const int64_t plane = i / geometry.y.output;
        const uint8_t* image =
            bits.data() + plane / geometry.outputs * image_size;
        const uint8_t* window =
            weights.data() + plane % geometry.outputs * kernel_size;
        for (int64_t x = 0; x < width; ++x) {
          out[i * width + x] =
              FromSum<T>(Agreement(geometry, image, window,
                                   attributes.pad_value,
                                   i % geometry.y.output, x));
        }
      }
    });
    return absl::OkStatus();
  });
}

}  // namespace dovetail
