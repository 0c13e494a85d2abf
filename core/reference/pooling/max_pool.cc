#include <cmath>
#include <limits>

#include "dovetail/core/ops/pooling/max_pool.h"
#include "dovetail/core/ops/pooling/pool_shape.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/pooling/pooling.h"
#include "dovetail/core/reference/pooling/windows.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {
namespace {

// The least number of a type, as the wider T that it is computed in.
template <typename T>
T LeastOf(ElementType type) {
  if (!IsInteger(type)) return std::numeric_limits<T>::lowest();
  if (!IsSigned(type)) return T{0};
  return static_cast<T>(-std::ldexp(1.0, BitWidth(type) - 1));
}

template <typename T>
struct Greatest {
  T value;  // of no element: that of a window in padding alone
  int64_t index = -1;

  void Meet(T other, int64_t other_index) {
    // The second comparison is for NaN, which anything replaces.
    if (index < 0 || other > value || value != value) {
      value = other;
      index = other_index;
    }
  }
};

// Writes indices, when the operation has them. Indices of a plane count from
// its first element; `plane_first` is that element's own index.
void StoreIndex(const Tensor* indices, int64_t position, int64_t index) {
  if (indices == nullptr) return;
  if (indices->type() == ElementType::kI32) {
    indices->mutable_data<int32_t>()[position] = static_cast<int32_t>(index);
  } else {
    indices->mutable_data<int64_t>()[position] = index;
  }
}

// The greatest element of each window in each plane of input 0, and its number
// among every `index_period` elements of the input.
absl::Status Maximize(KernelContext& context, const PoolWindows& windows,
                      int64_t index_period) {
  const ElementType type = context.input(0).type();
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    // Wide too, when they have the type of the data.
    const Tensor* indices =
        wide.output_count() > 1 ? &wide.output(1) : nullptr;
    return DispatchWide(wide.input(0).type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* data = wide.input(0).data<T>();
      T* output = wide.output(0).mutable_data<T>();
      const Shape& shape = wide.input(0).shape();
      ParallelLoop(
          wide, shape[0] * shape[1], windows.cost(),
          [&](int64_t plane, int64_t end) {
            for (; plane < end; ++plane) {
              const int64_t first = plane * windows.input_plane();
              const int64_t out = plane * windows.output_plane();
              const Greatest<T> none{LeastOf<T>(type)};
              Greatest<T> best = none;
              windows.Walk(
                  [&](int64_t i) { best.Meet(data[first + i], first + i); },
                  [&](int64_t window, int64_t, int64_t) {
                    output[out + window] = best.value;
                    // Of nothing, the first element of the plane.
                    const int64_t index =
                        best.index < 0 ? first : best.index;
                    StoreIndex(indices, out + window, index % index_period);
                    best = none;
                  });
            }
          });
      return absl::OkStatus();
    });
  });
}

}  // namespace

absl::Status MaxPoolKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const auto* first_version = context.node().As<MaxPoolAttributes>();
  const auto* newer = context.node().As<MaxPool8Attributes>();
  const SlidingWindow& window =
      newer != nullptr ? newer->window : first_version->window;
  const std::vector<int64_t>& kernel =
      newer != nullptr ? newer->kernel : first_version->kernel;
  const Shape& data = context.input(0).shape();
  std::vector<std::vector<Covered>> axes;
  for (const WindowAxis& axis :
       ResolvePool(window, kernel, data, context.output(0).shape())) {
    axes.push_back(CoveredBy(axis, window.rounding));
  }
  int index_axis = 0;
  if (newer != nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(index_axis,
                              NormalizeAxis(newer->axis, data.rank()));
  }
  const PoolWindows windows(std::move(axes), data.dims().subspan(2));
  return Maximize(context, windows,
                  std::max<int64_t>(data.Count(index_axis, data.rank()), 1));
}

absl::Status AdaptiveMaxPoolKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const Shape& data = context.input(0).shape();
  const Shape& output = context.output(0).shape();
  std::vector<std::vector<Covered>> axes;
  for (int axis = 2; axis < data.rank(); ++axis) {
    axes.push_back(CoveredAdaptively(data[axis], output[axis]));
  }
  const PoolWindows windows(std::move(axes), data.dims().subspan(2));
  return Maximize(context, windows, data.Count(2, data.rank()));
}

}  // namespace dovetail
