#include "dovetail/core/reference/image/resize/grid_sample.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "dovetail/core/ops/image/resize/grid_sample.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/image/resize/cubic.h"
#include "dovetail/core/reference/image/wide_floats.h"

namespace dovetail {
namespace {

constexpr double kCubicCoefficient = -0.75;

// The elements around a position along one axis.
struct Neighbours {
  int count = 0;
  std::array<int64_t, 4> indices;
  std::array<double, 4> weights;

  void Add(int64_t index, double weight) {
    if (index < 0) return;
    indices[count] = index;
    weights[count++] = weight;
  }
};

// One axis of the image.
struct SampledAxis {
  const GridSampleAttributes& attributes;
  int64_t extent;

  // Position in elements for a coordinate in [-1, 1]; so far outside at most
  // that its neighbours' numbers do not overflow.
  float PositionOf(float coordinate) const {
    constexpr float kFar = 1e12f;
    coordinate =
        std::isnan(coordinate) ? 0 : std::clamp(coordinate, -kFar, kFar);
    const float length = static_cast<float>(extent);
    const float position =
        attributes.align_corners
            ? (coordinate + 1) / 2 * (length - 1)
            : ((coordinate + 1) * length - 1) / 2;
    return std::clamp(position, -kFar, kFar);
  }

  // The element that stands for number `i`; -1 when it is a zero.
  int64_t Resolve(int64_t i) const {
    if (i >= 0 && i < extent) return i;
    switch (attributes.padding_mode) {
      case GridSamplePadding::kZeros: return -1;
      case GridSamplePadding::kBorder:
        return std::clamp<int64_t>(i, 0, extent - 1);
      case GridSamplePadding::kReflection: return Reflect(i);
    }
    return -1;
  }

  // Mirrored at the middles of the outermost elements (0 1 2 1 0), or at their
  // outer edges (0 1 2 2 1 0).
  int64_t Reflect(int64_t i) const {
    const int64_t period =
        attributes.align_corners ? 2 * (extent - 1) : 2 * extent;
    if (period == 0) return 0;
    i = (i % period + period) % period;
    if (i < extent) return i;
    return attributes.align_corners ? period - i : period - 1 - i;
  }

  Neighbours At(float coordinate) const {
    const float position = PositionOf(coordinate);
    Neighbours result;
    if (attributes.mode == GridSampleMode::kNearest) {
      result.Add(Resolve(static_cast<int64_t>(std::nearbyint(position))), 1);
      return result;
    }
    const float base = std::floor(position);
    const double fraction = position - base;
    const int64_t first = static_cast<int64_t>(base);
    if (attributes.mode == GridSampleMode::kBilinear) {
      result.Add(Resolve(first), 1 - fraction);
      result.Add(Resolve(first + 1), fraction);
      return result;
    }
    for (int i = -1; i <= 2; ++i) {
      result.Add(Resolve(first + i),
                 CubicConvolution(fraction - i, kCubicCoefficient));
    }
    return result;
  }
};

template <typename T>
T WeightedSum(const T* plane, int64_t width, const Neighbours& rows,
              const Neighbours& columns) {
  T sum{0};
  for (int y = 0; y < rows.count; ++y) {
    const T* row = plane + rows.indices[y] * width;
    T along{0};
    for (int x = 0; x < columns.count; ++x) {
      along += static_cast<T>(columns.weights[x]) * row[columns.indices[x]];
    }
    sum += static_cast<T>(rows.weights[y]) * along;
  }
  return sum;
}

template <typename T>
void Sample(const KernelContext& context, const Tensor& data,
            const Tensor& grid, const Tensor& output) {
  const auto& attributes = context.attributes<GridSampleAttributes>();
  const int64_t channels = data.shape()[1];
  const int64_t in_plane = data.shape().Count(2, 4);
  const int64_t out_plane = output.shape().Count(2, 4);
  const SampledAxis height{attributes, data.shape()[2]};
  const SampledAxis width{attributes, data.shape()[3]};
  ParallelLoop(
      context, data.shape()[0] * out_plane, 40 + 16 * channels,
      [&](int64_t begin, int64_t end) {
        for (int64_t point = begin; point < end; ++point) {
          const float* xy = grid.data<float>() + 2 * point;
          const Neighbours columns = width.At(xy[0]);
          const Neighbours rows = height.At(xy[1]);
          const int64_t first = point / out_plane * channels;
          const T* in = data.data<T>() + first * in_plane;
          T* out = output.mutable_data<T>() + first * out_plane +
                   point % out_plane;
          for (int64_t c = 0; c < channels; ++c) {
            out[c * out_plane] =
                WeightedSum(in + c * in_plane, width.extent, rows, columns);
          }
        }
      });
}

}  // namespace

absl::Status GridSampleKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  if (context.input(0).element_count() == 0) {
    return context.Error("data of shape ",
                         context.input(0).shape().ToString(),
                         " has no element to sample");
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor grid, ConvertTensor(context.input(1), ElementType::kF32));
  return WithWideFloats(
      context, [&](const Tensor& data, const Tensor& output) {
        return DispatchWideFloat(data.type(), context, [&](auto tag) {
          Sample<typename decltype(tag)::type>(context, data, grid, output);
          return absl::OkStatus();
        });
      });
}

}  // namespace dovetail
