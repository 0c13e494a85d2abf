#include "dovetail/core/reference/reduction/reduce.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/reduction/reduce.h"
#include "dovetail/core/reference/common/copy_view.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/reduce_plan.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/dispatch.h"

namespace dovetail {
namespace {

// What sums are kept in: doubles, or integers whose arithmetic wraps.
template <typename T>
using SumOf =
    std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;

// Each reduction: what it starts with, how it takes an element, what it makes
// of the end and the number of elements.
template <typename T>
struct Sum {
  using Total = SumOf<T>;
  static Total Start() { return 0; }
  static Total Take(Total total, T x) { return total + static_cast<Total>(x); }
  static T Finish(Total total, int64_t) { return static_cast<T>(total); }
};

template <typename T>
struct Prod : public Sum<T> {
  using Total = SumOf<T>;
  static Total Start() { return 1; }
  static Total Take(Total total, T x) { return total * static_cast<Total>(x); }
};

template <typename T>
struct Mean : public Sum<T> {
  static T Finish(SumOf<T> total, int64_t count) {
    if (count == 0) return 0;
    // As T, because an integer sum may be negative; an int64 of -2^63 divided
    // by -1 cannot happen.
    using Number = std::conditional_t<std::is_integral_v<T>, T, SumOf<T>>;
    return static_cast<T>(static_cast<Number>(total) /
                          static_cast<Number>(count));
  }
};

template <typename T>
struct L1 : public Sum<T> {
  using Total = SumOf<T>;
  static Total Take(Total total, T x) {
    const Total number = static_cast<Total>(x);
    return x < T(0) ? total - number : total + number;
  }
};

template <typename T>
struct L2 {
  using Total = double;
  static Total Start() { return 0; }
  static Total Take(Total total, T x) {
    const double number = static_cast<double>(x);
    return total + number * number;
  }
  static T Finish(Total total, int64_t) {
    return static_cast<T>(std::sqrt(total));
  }
};

template <typename T>
struct Max {
  using Total = T;
  static Total Start() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  static Total Take(Total total, T x) { return x > total ? x : total; }
  static T Finish(Total total, int64_t) { return total; }
};

template <typename T>
struct Min {
  using Total = T;
  static Total Start() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  static Total Take(Total total, T x) { return x < total ? x : total; }
  static T Finish(Total total, int64_t) { return total; }
};

template <typename T>
struct And {
  using Total = T;
  static Total Start() { return 1; }
  static Total Take(Total total, T x) { return total && x; }
  static T Finish(Total total, int64_t) { return total; }
};

template <typename T>
struct Or : public And<T> {
  static T Start() { return 0; }
  static T Take(T total, T x) { return total || x; }
};

// Output elements [begin, end), each from runs of neighbours in the data.
template <typename R, typename T>
void ReduceRuns(const ReducePlan& plan, const T* data, T* out, int64_t begin,
                int64_t end) {
  static constexpr ReducePlan::Group kSingle = {1, 1};
  const ReducePlan::Group& run =
      plan.reduced.empty() ? kSingle : plan.reduced.back();
  const size_t outer = plan.reduced.empty() ? 0 : plan.reduced.size() - 1;
  const int64_t runs = plan.reduced_count / run.extent;
  for (int64_t i = begin; i < end; ++i) {
    const T* const first = data + GroupOffset(plan.kept, plan.kept.size(), i);
    typename R::Total total = R::Start();
    for (int64_t j = 0; j < runs; ++j) {
      const T* const from = first + GroupOffset(plan.reduced, outer, j);
      for (int64_t k = 0; k < run.extent; ++k) {
        total = R::Take(total, from[k * run.stride]);
      }
    }
    out[i] = R::Finish(total, plan.reduced_count);
  }
}

// How many neighbouring output elements ReduceBlock makes at a time.
constexpr int64_t kBlock = 256;

// Output elements [begin, begin + count), which are neighbours in the data.
template <typename R, typename T>
void ReduceBlock(const ReducePlan& plan, const T* data, T* out, int64_t begin,
                 int64_t count) {
  std::array<typename R::Total, kBlock> totals;
  std::fill_n(totals.begin(), count, R::Start());
  const T* const first = data + GroupOffset(plan.kept, plan.kept.size(), begin);
  for (int64_t j = 0; j < plan.reduced_count; ++j) {
    const T* const from =
        first + GroupOffset(plan.reduced, plan.reduced.size(), j);
    for (int64_t i = 0; i < count; ++i) {
      totals[i] = R::Take(totals[i], from[i]);
    }
  }
  for (int64_t i = 0; i < count; ++i) {
    out[begin + i] = R::Finish(totals[i], plan.reduced_count);
  }
}

template <typename R, typename T>
void ReduceAll(const KernelContext& context, const ReducePlan& plan,
               const T* data, T* out) {
  if (plan.reduced_count == 0) {
    std::fill_n(out, plan.output_count, R::Finish(R::Start(), 0));
    return;
  }
  if (!plan.inner_is_kept) {
    ParallelLoop(context, plan.output_count, plan.reduced_count,
                 [&](int64_t begin, int64_t end) {
                   ReduceRuns<R>(plan, data, out, begin, end);
                 });
    return;
  }
  const int64_t row = plan.kept.back().extent;
  const int64_t blocks = (row + kBlock - 1) / kBlock;
  ParallelLoop(context, plan.output_count / row * blocks,
               plan.reduced_count * std::min(row, kBlock),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   const int64_t skip = i % blocks * kBlock;
                   ReduceBlock<R>(plan, data, out, i / blocks * row + skip,
                                  std::min(kBlock, row - skip));
                 }
               });
}

absl::StatusOr<ReducePlan> PlanOf(const KernelContext& context) {
  const Shape& shape = context.input(0).shape();
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<bool> reduced,
      ReducedAxes(ToInt64Vector(context.input(1)), shape.rank()));
  if (!context.output(0).has_data()) {
    return context.Error("the output's shape is not known");
  }
  if (context.input(0).element_count() > 0) {
    return PlanReduction(shape, reduced);
  }
  ReducePlan nothing;
  nothing.output_count = context.output(0).element_count();
  nothing.reduced_count = 0;
  return nothing;
}

// A maximum (minimum) of nothing: minus (plus) infinity, and for integers,
// which saturate, the least (greatest) number. The kernels themselves start
// with a finite number, which depends on the type after widening.
absl::Status FillWithLimit(const KernelContext& context, double sign) {
  constexpr double kBeyondIntegers = 1e30;
  const ElementType type = context.output(0).type();
  const double limit = IsFloat(type) ? std::numeric_limits<double>::infinity()
                                     : kBeyondIntegers;
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor value,
                            Tensor::FromDoubles(type, Shape{}, {sign * limit}));
  return FillElements(context, &value, context.output(0));
}

template <template <typename> class R>
absl::Status ReduceNumbers(KernelContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const ReducePlan plan, PlanOf(context));
  if (plan.output_count == 0) return absl::OkStatus();
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWide(wide.input(0).type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      ReduceAll<R<T>>(wide, plan, wide.input(0).data<T>(),
                      wide.output(0).mutable_data<T>());
      return absl::OkStatus();
    });
  });
}

template <template <typename> class R>
absl::Status ReduceBooleans(KernelContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const ReducePlan plan, PlanOf(context));
  if (plan.output_count == 0) return absl::OkStatus();
  ReduceAll<R<uint8_t>>(context, plan, context.input(0).data<uint8_t>(),
                        context.output(0).mutable_data<uint8_t>());
  return absl::OkStatus();
}

}  // namespace

absl::Status ReduceL1Kernel(KernelContext& context) {
  return ReduceNumbers<L1>(context);
}
absl::Status ReduceL2Kernel(KernelContext& context) {
  return ReduceNumbers<L2>(context);
}
absl::Status ReduceMaxKernel(KernelContext& context) {
  if (context.input(0).element_count() == 0) return FillWithLimit(context, -1);
  return ReduceNumbers<Max>(context);
}
absl::Status ReduceMeanKernel(KernelContext& context) {
  return ReduceNumbers<Mean>(context);
}
absl::Status ReduceMinKernel(KernelContext& context) {
  if (context.input(0).element_count() == 0) return FillWithLimit(context, 1);
  return ReduceNumbers<Min>(context);
}
absl::Status ReduceProdKernel(KernelContext& context) {
  return ReduceNumbers<Prod>(context);
}
absl::Status ReduceSumKernel(KernelContext& context) {
  return ReduceNumbers<Sum>(context);
}
absl::Status ReduceLogicalAndKernel(KernelContext& context) {
  return ReduceBooleans<And>(context);
}
absl::Status ReduceLogicalOrKernel(KernelContext& context) {
  return ReduceBooleans<Or>(context);
}

}  // namespace dovetail
