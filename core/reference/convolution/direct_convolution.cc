#include "dovetail/core/reference/convolution/direct_convolution.h"

#include <algorithm>
#include <array>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/scaled_rows.h"

namespace dovetail {
namespace {

// Positions [begin, end).
struct Range {
  int64_t begin = 0;
  int64_t end = 0;
};

// The windows in which element `k` lies inside the input.
Range WindowsInside(const WindowAxis& axis, int64_t k) {
  const int64_t shift = axis.pad_begin - k * axis.dilation;
  // o * stride >= shift and o * stride < input + shift
  Range windows;
  windows.begin = shift > 0 ? CeilDivide(shift, axis.stride) : 0;
  const int64_t last = axis.input + shift;
  windows.end = last > 0 ? CeilDivide(last, axis.stride) : 0;
  windows.end = std::max(windows.begin, std::min(windows.end, axis.output));
  return windows;
}

// Whether element `k` of window `o` lies inside the input.
bool IsInside(const WindowAxis& axis, int64_t o, int64_t k) {
  const int64_t position = axis.Begin(o) + k * axis.dilation;
  return position >= 0 && position < axis.input;
}

// Computes one row of one channel of the output at a time.
template <typename T>
class RowLoop {
 public:
  RowLoop(const ConvolutionGeometry& geometry, const T* data, const T* kernel,
          T* output)
      : geometry_(geometry), data_(data), kernel_(kernel), output_(output) {}

  int64_t count() const {
    return geometry_.batch * geometry_.groups * geometry_.outputs *
           geometry_.axes[0].output * geometry_.axes[1].output;
  }

  // Row number `row` of all.
  void Run(int64_t row) const {
    const auto& [z, y, x] = geometry_.axes;
    T* const sums = output_ + row * x.output;
    std::fill(sums, sums + x.output, T{0});
    const int64_t oy = row % y.output, oz = row / y.output % z.output;
    const int64_t channel = row / y.output / z.output;  // of all batches
    // Element by element of the window, and there channel by channel: the order
    // in which fast kernels add up too, so that f32 results are the same ones.
    for (int64_t kz = 0; kz < z.kernel; ++kz) {
      if (!IsInside(z, oz, kz)) continue;
      for (int64_t ky = 0; ky < y.kernel; ++ky) {
        if (!IsInside(y, oy, ky)) continue;
        const int64_t iz = z.Begin(oz) + kz * z.dilation;
        const int64_t iy = y.Begin(oy) + ky * y.dilation;
        for (int64_t kx = 0; kx < x.kernel; ++kx) {
          AddTap(channel, (iz * y.input + iy) * x.input,
                 (kz * y.kernel + ky) * x.kernel, kx, sums);
        }
      }
    }
  }

 private:
  // Adds what element `kx` of the kernel's row at `taps` contributes, with the
  // row at `line` of each plane of the input.
  void AddTap(int64_t channel, int64_t line, int64_t taps, int64_t kx,
              T* sums) const {
    const WindowAxis& x = geometry_.axes[2];
    const Range windows = WindowsInside(x, kx);
    const int64_t first = x.Begin(windows.begin) + kx * x.dilation;
    const int64_t group = channel / geometry_.outputs;  // of all batches
    const int64_t filter = channel % (geometry_.groups * geometry_.outputs);
    for (int64_t input = 0; input < geometry_.inputs; ++input) {
      const T* source =
          data_ + (group * geometry_.inputs + input) * geometry_.input_plane() +
          line;
      const T* weight =
          kernel_ +
          (filter * geometry_.inputs + input) * geometry_.kernel_plane() + taps;
      AddScaledRows<T>(std::array<T, 1>{weight[kx]}, source + first, x.stride,
                       windows.end - windows.begin, 0, sums + windows.begin);
    }
  }

  const ConvolutionGeometry& geometry_;
  const T* data_;
  const T* kernel_;
  T* output_;
};

}  // namespace

template <typename T>
void DirectConvolution(const KernelContext& context,
                       const ConvolutionGeometry& geometry, const T* data,
                       const T* kernel, T* output) {
  const RowLoop<T> loop(geometry, data, kernel, output);
  const int64_t cost =
      geometry.axes[2].output * geometry.inputs * geometry.kernel_plane() / 4;
  ParallelLoop(context, loop.count(), cost, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) loop.Run(row);
  });
}

template void DirectConvolution(const KernelContext&,
                                const ConvolutionGeometry&, const float*,
                                const float*, float*);
template void DirectConvolution(const KernelContext&,
                                const ConvolutionGeometry&, const double*,
                                const double*, double*);
template void DirectConvolution(const KernelContext&,
                                const ConvolutionGeometry&, const uint64_t*,
                                const uint64_t*, uint64_t*);

}  // namespace dovetail
