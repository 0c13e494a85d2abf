// MVN, GroupNormalization, NormalizeL2 and GRN: shift lanes by their mean, or
// not, and scale them by what their squares add up to.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "absl/functional/function_ref.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/axes.h"
#include "dovetail/core/ops/normalization/batch_norm.h"
#include "dovetail/core/ops/normalization/mvn.h"
#include "dovetail/core/ops/normalization/normalize_l2.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/normalization/lanes.h"
#include "dovetail/core/reference/normalization/normalization.h"

namespace dovetail {
namespace {

// Cost of an element in simple operations.
constexpr int64_t kCost = 4;

using Totals = std::array<double, Lanes::kBlock>;

// What becomes of a lane.
struct Norm {
  bool shift;  // subtract the mean
  bool scale;  // multiply by factor(squares, count)
  // From the sum of squares (of deviations from the mean) and the number of
  // elements.
  absl::FunctionRef<double(double squares, int64_t count)> factor;
};

template <typename T>
void NormalizeBlock(const Lanes& lanes, const Lanes::Block& block,
                    const Norm& norm, const T* data, T* out) {
  Totals means, scales;
  if (norm.shift) {
    lanes.Sum(block, data, means.data(), [](T x, int64_t) { return x; });
    for (int64_t i = 0; i < block.lanes; ++i) {
      means[i] /= static_cast<double>(lanes.length());
    }
  } else {
    std::fill_n(means.data(), block.lanes, 0);
  }
  if (norm.scale) {
    lanes.Sum(block, data, scales.data(), [&](T x, int64_t lane) {
      const double distance = static_cast<double>(x) - means[lane];
      return distance * distance;
    });
    for (int64_t i = 0; i < block.lanes; ++i) {
      scales[i] = norm.factor(scales[i], lanes.length());
    }
  } else {
    std::fill_n(scales.data(), block.lanes, 1);
  }
  lanes.Map(block, data, out, [&](T x, int64_t lane) {
    return static_cast<T>((static_cast<double>(x) - means[lane]) *
                          scales[lane]);
  });
}

// Input 0, seen in `shape`, along the axes that have a flag -> output 0. Both
// are of a wide float type.
absl::Status NormalizeAll(KernelContext& context, const Shape& shape,
                          const std::vector<bool>& normalized,
                          const Norm& norm) {
  const Tensor& data = context.input(0);
  if (data.element_count() == 0) return absl::OkStatus();
  const Lanes lanes(shape, normalized);
  return DispatchWideFloat(data.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    lanes.ForEachBlock(context, kCost, [&](const Lanes::Block& block) {
      NormalizeBlock(lanes, block, norm, data.data<T>(),
                     context.output(0).mutable_data<T>());
    });
    return absl::OkStatus();
  });
}

// The same for data of any type, along axes from a list.
absl::Status Normalize(KernelContext& context, absl::Span<const int64_t> axes,
                       const Norm& norm) {
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    const Shape& shape = wide.input(0).shape();
    return NormalizeAll(wide, shape, AxisFlags(axes, shape.rank()), norm);
  });
}

double InsideSqrt(double squares, int64_t count, double eps) {
  return 1 / std::sqrt(squares / static_cast<double>(count) + eps);
}

// Multiplies and adds, in place, to rows [N, C] of neighbours of one channel.
template <typename T>
void ScaleChannels(const KernelContext& context) {
  const Shape& shape = context.input(0).shape();
  const int64_t channels = shape[1], row = shape.Count(2, shape.rank());
  const T* const scale = context.input(1).data<T>();
  const T* const bias = context.input(2).data<T>();
  T* const out = context.output(0).mutable_data<T>();
  ParallelLoop(context, shape[0] * channels, row,
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   const T factor = scale[i % channels];
                   const T term = bias[i % channels];
                   T* const x = out + i * row;
                   for (int64_t k = 0; k < row; ++k) {
                     x[k] = x[k] * factor + term;
                   }
                 }
               });
}

absl::Status GroupNorm(KernelContext& context) {
  const auto& attributes = context.attributes<GroupNormAttributes>();
  const Shape& shape = context.input(0).shape();
  if (context.input(0).element_count() == 0) return absl::OkStatus();
  // [N, groups, everything of a group]
  const int64_t groups = shape[0] * attributes.num_groups;
  const auto factor = [&](double squares, int64_t count) {
    return InsideSqrt(squares, count, attributes.epsilon);
  };
  DOVETAIL_RETURN_IF_ERROR(
      NormalizeAll(context, Shape{groups, shape.Count() / groups},
                   {false, true}, {true, true, factor}));
  return DispatchWideFloat(context.input(0).type(), context, [&](auto tag) {
    ScaleChannels<typename decltype(tag)::type>(context);
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status MvnKernel(KernelContext& context) {
  const auto& attributes = context.attributes<MvnAttributes>();
  const auto factor = [&](double squares, int64_t count) {
    return InsideSqrt(squares, count, attributes.eps);
  };
  return Normalize(context, MvnAxes(attributes, context.input(0).rank()),
                   {true, attributes.normalize_variance, factor});
}

absl::Status Mvn6Kernel(KernelContext& context) {
  const auto& attributes = context.attributes<Mvn6Attributes>();
  const auto factor = [&](double squares, int64_t count) {
    if (attributes.eps_mode == MvnEpsMode::kInsideSqrt) {
      return InsideSqrt(squares, count, attributes.eps);
    }
    const double variance = squares / static_cast<double>(count);
    return 1 / (std::sqrt(variance) + attributes.eps);
  };
  return Normalize(context, ToInt64Vector(context.input(1)),
                   {true, attributes.normalize_variance, factor});
}

absl::Status GroupNormKernel(KernelContext& context) {
  return WithWideTypes(context, 0, &GroupNorm);
}

absl::Status NormalizeL2Kernel(KernelContext& context) {
  const auto& attributes = context.attributes<NormalizeL2Attributes>();
  const auto factor = [&](double squares, int64_t) {
    return 1 / std::sqrt(attributes.eps_mode == EpsMode::kAdd
                             ? squares + attributes.eps
                             : std::max(squares, attributes.eps));
  };
  return Normalize(context, ToInt64Vector(context.input(1)),
                   {false, true, factor});
}

absl::Status GrnKernel(KernelContext& context) {
  const double bias = context.attributes<GrnAttributes>().bias;
  const auto factor = [bias](double squares, int64_t) {
    return 1 / std::sqrt(squares + bias);
  };
  return Normalize(context, {1}, {false, true, factor});
}

}  // namespace dovetail
