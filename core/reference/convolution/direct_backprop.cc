#include "dovetail/core/reference/convolution/direct_backprop.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/scaled_rows.h"

namespace dovetail {
namespace {

int64_t FloorDivide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// The element of the data that window element `k` carries to `position` of the
// result; nothing when there is none.
std::optional<int64_t> SourceOf(const WindowAxis& axis, int64_t position,
                                int64_t k) {
  const int64_t scaled = position + axis.pad_begin - k * axis.dilation;
  if (scaled < 0 || scaled % axis.stride != 0) return std::nullopt;
  const int64_t source = scaled / axis.stride;
  if (source >= axis.output) return std::nullopt;
  return source;
}

// Where window element k of the last axis carries a row of the data. Elements
// of a row of the result are sorted by their remainder modulo the stride
// ("phase"): then a row of the data lands on neighbours.
struct Landing {
  int64_t first = 0;  // of the data
  int64_t count = 0;
  int64_t place = 0;  // of the first, in the sorted row
};

class SortedRow {
 public:
  explicit SortedRow(const WindowAxis& axis)
      : axis_(axis), pitch_(CeilDivide(axis.input, axis.stride)) {}

  // Elements of a sorted row; those that no position has stay unused.
  int64_t size() const { return Phases() * pitch_; }

  std::vector<Landing> Landings() const {
    std::vector<Landing> landings(axis_.kernel);
    for (int64_t k = 0; k < axis_.kernel; ++k) {
      const int64_t shift = k * axis_.dilation - axis_.pad_begin;
      const int64_t steps = FloorDivide(shift, axis_.stride);
      const int64_t phase = shift - steps * axis_.stride;
      if (phase >= axis_.input) continue;
      const int64_t in_phase = CeilDivide(axis_.input - phase, axis_.stride);
      Landing& landing = landings[k];
      landing.first = std::max<int64_t>(0, -steps);
      landing.count = std::max<int64_t>(
          0, std::min(axis_.output, in_phase - steps) - landing.first);
      landing.place = phase * pitch_ + landing.first + steps;
    }
    return landings;
  }

  template <typename T>
  void Unsort(const T* sorted, T* row) const {
    for (int64_t phase = 0; phase < Phases(); ++phase) {
      const T* next = sorted + phase * pitch_;
      for (int64_t i = phase; i < axis_.input; i += axis_.stride) {
        row[i] = *next++;
      }
    }
  }

 private:
  int64_t Phases() const { return std::min(axis_.stride, axis_.input); }

  const WindowAxis& axis_;
  int64_t pitch_;
};

// Computes one row of kChannels channels of the result.
template <typename T, int kChannels>
class RowLoop {
 public:
  RowLoop(const ConvolutionGeometry& geometry, const T* data, const T* kernel,
          T* result)
      : geometry_(geometry),
        sorted_(geometry.axes[2]),
        landings_(sorted_.Landings()),
        data_(data),
        kernel_(kernel),
        result_(result) {}

  int64_t pitch() const { return sorted_.size(); }

  // `sums` has room for kChannels sorted rows.
  void Run(int64_t batch, int64_t group, int64_t channel, int64_t rz,
           int64_t ry, T* sums) const {
    std::fill(sums, sums + kChannels * pitch(), T{0});
    const auto& [z, y, x] = geometry_.axes;
    for (int64_t kz = 0; kz < z.kernel; ++kz) {
      const std::optional<int64_t> dz = SourceOf(z, rz, kz);
      if (!dz.has_value()) continue;
      for (int64_t ky = 0; ky < y.kernel; ++ky) {
        const std::optional<int64_t> dy = SourceOf(y, ry, ky);
        if (!dy.has_value()) continue;
        AddRows(batch, group, channel, (*dz * y.output + *dy) * x.output,
                (kz * y.kernel + ky) * x.kernel, sums);
      }
    }
    for (int c = 0; c < kChannels; ++c) {
      const int64_t plane =
          (batch * geometry_.groups + group) * geometry_.outputs + channel + c;
      sorted_.Unsort(sums + c * pitch(),
                     result_ + plane * geometry_.input_plane() +
                         (rz * y.input + ry) * x.input);
    }
  }

 private:
  // Adds what the row of the data at offset `row` of each plane contributes
  // through the kernel's elements from `taps` on.
  void AddRows(int64_t batch, int64_t group, int64_t channel, int64_t row,
               int64_t taps, T* sums) const {
    const int64_t kernel_plane = geometry_.kernel_plane();
    for (int64_t input = 0; input < geometry_.inputs; ++input) {
      const int64_t first = group * geometry_.inputs + input;
      const T* source =
          data_ + (batch * geometry_.groups * geometry_.inputs + first) *
                      geometry_.output_plane() +
          row;
      const T* kernel =
          kernel_ + (first * geometry_.outputs + channel) * kernel_plane + taps;
      for (int64_t kx = 0; kx < geometry_.axes[2].kernel; ++kx) {
        std::array<T, kChannels> weights;
        for (int c = 0; c < kChannels; ++c) {
          weights[c] = kernel[c * kernel_plane + kx];
        }
        const Landing& landing = landings_[kx];
        AddScaledRows<T>(weights, source + landing.first, 1, landing.count,
                         pitch(), sums + landing.place);
      }
    }
  }

  const ConvolutionGeometry& geometry_;
  SortedRow sorted_;
  std::vector<Landing> landings_;
  const T* data_;
  const T* kernel_;
  T* result_;
};

// Computes channels first … first + blocks * kChannels - 1 of every group.
template <typename T, int kChannels>
void Backprop(const KernelContext& context, const ConvolutionGeometry& geometry,
              int64_t first, int64_t blocks, const T* data, const T* kernel,
              T* result) {
  const int64_t depth = geometry.axes[0].input;
  const int64_t rows = geometry.axes[1].input;
  const RowLoop<T, kChannels> loop(geometry, data, kernel, result);
  const int64_t cost = kChannels * geometry.axes[2].output * geometry.inputs *
                       geometry.kernel_plane() / 4;
  const int64_t count =
      geometry.batch * geometry.groups * depth * rows * blocks;
  ParallelLoop(context, count, cost, [&](int64_t begin, int64_t end) {
    std::vector<T> sums(kChannels * loop.pitch());
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i / blocks;
      const int64_t plane = row / rows / depth;
      loop.Run(plane / geometry.groups, plane % geometry.groups,
               first + i % blocks * kChannels, row / rows % depth, row % rows,
               sums.data());
    }
  });
}

}  // namespace

template <typename T>
void DirectBackprop(const KernelContext& context,
                    const ConvolutionGeometry& geometry, const T* data,
                    const T* kernel, T* result) {
  const int64_t fours = geometry.outputs / 4;
  Backprop<T, 4>(context, geometry, 0, fours, data, kernel, result);
  Backprop<T, 1>(context, geometry, fours * 4, geometry.outputs % 4, data,
                 kernel, result);
}

template void DirectBackprop(const KernelContext&, const ConvolutionGeometry&,
                             const float*, const float*, float*);
template void DirectBackprop(const KernelContext&, const ConvolutionGeometry&,
                             const double*, const double*, double*);
template void DirectBackprop(const KernelContext&, const ConvolutionGeometry&,
                             const uint64_t*, const uint64_t*, uint64_t*);

}  // namespace dovetail
