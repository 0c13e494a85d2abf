#include "dovetail/core/reference/convolution/direct_convolution.h"

#include <algorithm>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/scaled_rows.h"

namespace dovetail {
namespace {

// Sums of one tile: enough rows to be worth the loops around them, few enough
// to stay in the L1 cache for four channels.
constexpr int64_t kTileElements = 512;

// Positions [begin, end).
struct Range {
  int64_t begin = 0;
  int64_t end = 0;
};

// Windows of `windows` in which element `k` lies inside the input.
Range WindowsInside(const WindowAxis& axis, int64_t k, Range windows) {
  const int64_t shift = axis.pad_begin - k * axis.dilation;
  // o * stride >= shift and o * stride < input + shift
  const int64_t begin = shift > 0 ? CeilDivide(shift, axis.stride) : 0;
  const int64_t last = axis.input + shift;
  const int64_t end = last > 0 ? CeilDivide(last, axis.stride) : 0;
  windows.begin = std::max(windows.begin, begin);
  windows.end = std::max(windows.begin, std::min(windows.end, end));
  return windows;
}

std::vector<Range> AllWindowsInside(const WindowAxis& axis, Range windows) {
  std::vector<Range> ranges(axis.kernel);
  for (int64_t k = 0; k < axis.kernel; ++k) {
    ranges[k] = WindowsInside(axis, k, windows);
  }
  return ranges;
}

// A stride-1 convolution with a kernel of one element sees the input as one
// long row.
ConvolutionGeometry WithLongRows(ConvolutionGeometry geometry) {
  for (const WindowAxis& axis : geometry.axes) {
    if (axis.kernel != 1 || axis.stride != 1 || axis.pad_begin != 0 ||
        axis.output != axis.input) {
      return geometry;
    }
  }
  WindowAxis row;
  row.input = row.output = geometry.input_plane();
  geometry.axes = {WindowAxis(), WindowAxis(), row};
  return geometry;
}

// The part of the output that is summed at a time: some channels of one group
// over a tile of rows.
struct Tile {
  int64_t batch, group, channel;  // the first channel, within its group
  int64_t z;
  Range y, x;
};

// Cuts channels `which` of every group of an output into tiles of `channels`
// channels and numbers the tiles; those that read the same part of the input
// come one after the other.
class Tiling {
 public:
  Tiling(const ConvolutionGeometry& geometry, int64_t channels, Range which)
      : geometry_(geometry), channels_(channels), first_(which.begin) {
    const SpatialAxes& axes = geometry.axes;
    width_ = std::min(axes[2].output, kTileElements);
    height_ =
        std::min(axes[1].output, std::max<int64_t>(kTileElements / width_, 1));
    columns_ = CeilDivide(axes[2].output, width_);
    rows_ = CeilDivide(axes[1].output, height_);
    blocks_ = (which.end - which.begin) / channels;
  }

  int64_t count() const {
    return geometry_.batch * geometry_.groups * geometry_.axes[0].output *
           rows_ * columns_ * blocks_;
  }
  int64_t elements() const { return width_ * height_; }

  Tile operator[](int64_t index) const {
    auto next = [&index](int64_t extent) {
      const int64_t position = index % extent;
      index /= extent;
      return position;
    };
    Tile tile;
    tile.channel = first_ + next(blocks_) * channels_;
    tile.x.begin = next(columns_) * width_;
    tile.x.end = std::min(tile.x.begin + width_, geometry_.axes[2].output);
    tile.y.begin = next(rows_) * height_;
    tile.y.end = std::min(tile.y.begin + height_, geometry_.axes[1].output);
    tile.z = next(geometry_.axes[0].output);
    tile.group = next(geometry_.groups);
    tile.batch = index;
    return tile;
  }

 private:
  const ConvolutionGeometry& geometry_;
  int64_t channels_, first_;
  int64_t width_, height_, columns_, rows_, blocks_;
};

// Computes output channels kChannels at a time.
template <typename T, int kChannels>
class TileLoop {
 public:
  TileLoop(const ConvolutionGeometry& geometry, const T* data, const T* kernel,
           T* output)
      : geometry_(geometry), data_(data), kernel_(kernel), output_(output) {}

  // `sums` has room for kChannels tiles of `pitch` elements.
  void Run(const Tile& tile, int64_t pitch, T* sums) const {
    std::fill(sums, sums + kChannels * pitch, T{0});
    const auto& [z, y, x] = geometry_.axes;
    const std::vector<Range> zs = AllWindowsInside(z, {tile.z, tile.z + 1});
    const std::vector<Range> ys = AllWindowsInside(y, tile.y);
    const std::vector<Range> xs = AllWindowsInside(x, tile.x);
    // Element by element of the window, and there channel by channel: the order
    // in which fast kernels add up too, so that f32 results are the same ones.
    for (int64_t kz = 0; kz < z.kernel; ++kz) {
      if (zs[kz].begin == zs[kz].end) continue;
      const int64_t slice =
          (z.Begin(tile.z) + kz * z.dilation) * y.input * x.input;
      for (int64_t ky = 0; ky < y.kernel; ++ky) {
        for (int64_t kx = 0; kx < x.kernel; ++kx) {
          const int64_t tap = (kz * y.kernel + ky) * x.kernel + kx;
          for (int64_t input = 0; input < geometry_.inputs; ++input) {
            AddTap(tile, InputPlane(tile, input) + slice,
                   KernelPlane(tile, input) + tap, ky, kx, ys[ky], xs[kx],
                   pitch, sums);
          }
        }
      }
    }
    Store(tile, pitch, sums);
  }

 private:
  const T* InputPlane(const Tile& tile, int64_t input) const {
    return data_ +
           ((tile.batch * geometry_.groups + tile.group) * geometry_.inputs +
            input) *
               geometry_.input_plane();
  }
  const T* KernelPlane(const Tile& tile, int64_t input) const {
    return kernel_ +
           ((tile.group * geometry_.outputs + tile.channel) * geometry_.inputs +
            input) *
               geometry_.kernel_plane();
  }

  // Adds what element (ky, kx) of the window contributes to all its windows.
  void AddTap(const Tile& tile, const T* slice, const T* kernel, int64_t ky,
              int64_t kx, Range ys, Range xs, int64_t pitch, T* sums) const {
    if (xs.begin == xs.end) return;
    const WindowAxis& y = geometry_.axes[1];
    const WindowAxis& x = geometry_.axes[2];
    std::array<T, kChannels> weights;
    for (int channel = 0; channel < kChannels; ++channel) {
      weights[channel] =
          kernel[channel * geometry_.inputs * geometry_.kernel_plane()];
    }
    const int64_t width = tile.x.end - tile.x.begin;
    const int64_t first = x.Begin(xs.begin) + kx * x.dilation;
    for (int64_t oy = ys.begin; oy < ys.end; ++oy) {
      const T* row = slice + (y.Begin(oy) + ky * y.dilation) * x.input;
      T* sum = sums + (oy - tile.y.begin) * width + (xs.begin - tile.x.begin);
      AddScaledRows<T>(weights, row + first, x.stride, xs.end - xs.begin, pitch,
                       sum);
    }
  }

  void Store(const Tile& tile, int64_t pitch, const T* sums) const {
    const WindowAxis& y = geometry_.axes[1];
    const WindowAxis& x = geometry_.axes[2];
    const int64_t width = tile.x.end - tile.x.begin;
    for (int channel = 0; channel < kChannels; ++channel) {
      T* plane = output_ + ((tile.batch * geometry_.groups + tile.group) *
                                geometry_.outputs +
                            tile.channel + channel) *
                               geometry_.output_plane();
      for (int64_t oy = tile.y.begin; oy < tile.y.end; ++oy) {
        const T* row = sums + channel * pitch + (oy - tile.y.begin) * width;
        std::copy(row, row + width,
                  plane + (tile.z * y.output + oy) * x.output + tile.x.begin);
      }
    }
  }

  const ConvolutionGeometry& geometry_;
  const T* data_;
  const T* kernel_;
  T* output_;
};

// Computes channels `which` of every group.
template <typename T, int kChannels>
void Convolve(const KernelContext& context, const ConvolutionGeometry& geometry,
              Range which, const T* data, const T* kernel, T* output) {
  const Tiling tiling(geometry, kChannels, which);
  const TileLoop<T, kChannels> loop(geometry, data, kernel, output);
  const int64_t cost = kChannels * tiling.elements() * geometry.inputs *
                       geometry.kernel_plane() / 4;
  ParallelLoop(context, tiling.count(), cost, [&](int64_t begin, int64_t end) {
    std::vector<T> sums(kChannels * tiling.elements());
    for (int64_t i = begin; i < end; ++i) {
      loop.Run(tiling[i], tiling.elements(), sums.data());
    }
  });
}

}  // namespace

template <typename T>
void DirectConvolution(const KernelContext& context,
                       const ConvolutionGeometry& original, const T* data,
                       const T* kernel, T* output) {
  const ConvolutionGeometry geometry = WithLongRows(original);
  const int64_t in_fours = geometry.outputs / 4 * 4;
  Convolve<T, 4>(context, geometry, {0, in_fours}, data, kernel, output);
  Convolve<T, 1>(context, geometry, {in_fours, geometry.outputs}, data, kernel,
                 output);
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
