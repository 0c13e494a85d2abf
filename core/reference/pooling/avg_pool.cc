#include <cmath>
#include <type_traits>

#include "dovetail/core/ops/pooling/avg_pool.h"
#include "dovetail/core/ops/pooling/pool_shape.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/pooling/pooling.h"
#include "dovetail/core/reference/pooling/windows.h"

namespace dovetail {
namespace {

template <typename T>
T Mean(T sum, int64_t count) {
  if constexpr (std::is_integral_v<T>) {
    if (count == 0) return T{0};
    return static_cast<T>(
        std::nearbyint(static_cast<double>(sum) / static_cast<double>(count)));
  } else {
    return sum / static_cast<T>(count);
  }
}

// Integers wrap.
template <typename T>
void AddTo(T& sum, T x) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    sum = static_cast<T>(static_cast<U>(sum) + static_cast<U>(x));
  } else {
    sum += x;
  }
}

// The mean of the elements of each window in each plane of input 0.
absl::Status Average(KernelContext& context, const PoolWindows& windows,
                     bool count_padding) {
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWide(wide.input(0).type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* data = wide.input(0).data<T>();
      T* output = wide.output(0).mutable_data<T>();
      const Shape& shape = wide.input(0).shape();
      ParallelLoop(
          wide, shape[0] * shape[1], windows.cost(),
          [&](int64_t plane, int64_t end) {
            for (; plane < end; ++plane) {
              const T* in = data + plane * windows.input_plane();
              T* out = output + plane * windows.output_plane();
              T sum{0};
              windows.Walk([&](int64_t i) { AddTo(sum, in[i]); },
                           [&](int64_t window, int64_t count, int64_t padded) {
                             out[window] =
                                 Mean(sum, count_padding ? padded : count);
                             sum = T{0};
                           });
            }
          });
      return absl::OkStatus();
    });
  });
}

}  // namespace

absl::Status AvgPoolKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const AvgPoolAttributes& attributes = AvgPoolAttributesOf(context.node());
  const Shape& data = context.input(0).shape();
  std::vector<std::vector<Covered>> axes;
  // Elements beyond the end, where a rounding up has put them, count like
  // padding, but only if there is any padding.
  bool padded = false;
  for (const WindowAxis& axis :
       ResolvePool(attributes.window, attributes.kernel, data,
                   context.output(0).shape())) {
    axes.push_back(CoveredBy(axis, attributes.window.rounding));
    padded |= axis.pad_begin != 0 || axis.pad_end != 0;
  }
  const PoolWindows windows(std::move(axes), data.dims().subspan(2));
  return Average(context, windows, padded && !attributes.exclude_pad);
}

absl::Status AdaptiveAvgPoolKernel(KernelContext& context) {
  const Shape& data = context.input(0).shape();
  const Shape& output = context.output(0).shape();
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  std::vector<std::vector<Covered>> axes;
  for (int axis = 2; axis < data.rank(); ++axis) {
    axes.push_back(CoveredAdaptively(data[axis], output[axis]));
  }
  const PoolWindows windows(std::move(axes), data.dims().subspan(2));
  return Average(context, windows, /*count_padding=*/false);
}

}  // namespace dovetail
