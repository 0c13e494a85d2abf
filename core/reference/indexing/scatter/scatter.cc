#include "dovetail/core/reference/indexing/scatter/scatter.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/indexing/scatter/scatter_elements_update.h"
#include "dovetail/core/ops/indexing/scatter/scatter_nd_update.h"
#include "dovetail/core/reference/common/copy_view.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/indexing/index.h"

namespace dovetail {
namespace {

// What all three operations do, and ScatterNDUpdate's difference.
enum class Combine { kNone, kSum, kSub, kProd, kMin, kMax, kMean };

Combine CombineOf(ScatterReduction reduction) {
  switch (reduction) {
    case ScatterReduction::kNone: return Combine::kNone;
    case ScatterReduction::kSum: return Combine::kSum;
    case ScatterReduction::kProd: return Combine::kProd;
    case ScatterReduction::kMin: return Combine::kMin;
    case ScatterReduction::kMax: return Combine::kMax;
    case ScatterReduction::kMean: return Combine::kMean;
  }
  return Combine::kNone;
}

Combine CombineOf(ScatterNDReduction reduction) {
  switch (reduction) {
    case ScatterNDReduction::kNone: return Combine::kNone;
    case ScatterNDReduction::kSum: return Combine::kSum;
    case ScatterNDReduction::kSub: return Combine::kSub;
    case ScatterNDReduction::kProd: return Combine::kProd;
    case ScatterNDReduction::kMin: return Combine::kMin;
    case ScatterNDReduction::kMax: return Combine::kMax;
  }
  return Combine::kNone;
}

// `there` combined with an update; integers wrap.
template <typename T>
T Combined(Combine how, T there, T update) {
  using Number = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;
  switch (how) {
    case Combine::kNone: return update;
    case Combine::kMean:
    case Combine::kSum:
      return static_cast<T>(static_cast<Number>(there) +
                            static_cast<Number>(update));
    case Combine::kSub:
      return static_cast<T>(static_cast<Number>(there) -
                            static_cast<Number>(update));
    case Combine::kProd:
      return static_cast<T>(static_cast<Number>(there) *
                            static_cast<Number>(update));
    case Combine::kMin: return std::min(there, update);
    case Combine::kMax: return std::max(there, update);
  }
  return update;
}

// Truth values: a sum is "or", a product "and".
uint8_t CombinedBooleans(Combine how, uint8_t there, uint8_t update) {
  switch (how) {
    case Combine::kSum:
    case Combine::kMax: return there | update;
    case Combine::kProd:
    case Combine::kMin: return there & update;
    case Combine::kSub: return there != update;
    default: return update;
  }
}

// sum / count; integers round down.
template <typename T>
T Average(T sum, int64_t count) {
  if constexpr (std::is_integral_v<T>) {
    const T divisor = static_cast<T>(count);
    const T quotient = sum / divisor;
    return quotient - (sum % divisor != 0 && sum < T(0) ? 1 : 0);
  } else {
    return sum / static_cast<T>(count);
  }
}

// One update for each element of input 2: which element of the output it goes
// to.
using Targets = std::vector<int64_t>;

template <typename T, typename CombineFn>
void Apply(const KernelContext& context, const Targets& targets,
           CombineFn combine) {
  const T* const updates = context.input(2).data<T>();
  T* const out = context.output(0).mutable_data<T>();
  for (size_t i = 0; i < targets.size(); ++i) {
    out[targets[i]] = combine(out[targets[i]], updates[i]);
  }
}

// The same where the data's elements do not take part, and for means.
template <typename T>
void ApplyCounted(const KernelContext& context, const Targets& targets,
                  Combine how, bool use_data) {
  const T* const updates = context.input(2).data<T>();
  T* const out = context.output(0).mutable_data<T>();
  std::vector<int64_t> counts(context.output(0).element_count(),
                              use_data ? 1 : 0);
  for (size_t i = 0; i < targets.size(); ++i) {
    T& element = out[targets[i]];
    element = counts[targets[i]]++ == 0 ? updates[i]
                                        : Combined(how, element, updates[i]);
  }
  if (how != Combine::kMean) return;
  for (int64_t target : targets) {
    if (counts[target] > 1) out[target] = Average(out[target], counts[target]);
    counts[target] = 0;
  }
}

// Copies the data to the output and combines it with the updates.
absl::Status Scatter(KernelContext& context, const Targets& targets,
                     Combine how, bool use_data) {
  DOVETAIL_RETURN_IF_ERROR(
      CopyElements(context, context.input(0), context.output(0)));
  const ElementType type = context.input(0).type();
  if (how == Combine::kNone) {
    return DispatchBySize(type, context, [&](auto tag) {
      using T = typename decltype(tag)::type;
      Apply<T>(context, targets, [](const T&, const T& b) { return b; });
      return absl::OkStatus();
    });
  }
  if (type == ElementType::kBoolean) {
    std::vector<bool> seen(context.output(0).element_count(), use_data);
    const uint8_t* const updates = context.input(2).data<uint8_t>();
    uint8_t* const out = context.output(0).mutable_data<uint8_t>();
    for (size_t i = 0; i < targets.size(); ++i) {
      const int64_t at = targets[i];
      out[at] =
          seen[at] ? CombinedBooleans(how, out[at], updates[i]) : updates[i];
      seen[at] = true;
    }
    return absl::OkStatus();
  }
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    DOVETAIL_RETURN_IF_ERROR(
        CopyElements(wide, wide.input(0), wide.output(0)));
    return DispatchWide(wide.input(0).type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if (use_data && how != Combine::kMean) {
        Apply<T>(wide, targets,
                 [&](T a, T b) { return Combined(how, a, b); });
      } else {
        ApplyCounted<T>(wide, targets, how, use_data);
      }
      return absl::OkStatus();
    });
  });
}

}  // namespace

absl::Status ScatterUpdateKernel(KernelContext& context) {
  const Shape& data = context.input(0).shape();
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      NormalizeAxis(context.input(3).ElementAsInt64(0), data.rank()));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<int64_t> indices,
      CheckedIndices(context, 1, data[axis], /*from_end=*/false));
  const int64_t inner = data.Count(axis + 1, data.rank());
  const int64_t count = static_cast<int64_t>(indices.size());
  Targets targets(context.input(2).element_count());
  for (size_t i = 0; i < targets.size(); ++i) {
    const int64_t run = static_cast<int64_t>(i) / inner;
    targets[i] = (run / count * data[axis] + indices[run % count]) * inner +
                 static_cast<int64_t>(i) % inner;
  }
  return Scatter(context, targets, Combine::kNone, true);
}

absl::Status ScatterElementsUpdateKernel(KernelContext& context) {
  const Shape& data = context.input(0).shape();
  const Shape& shape = context.input(1).shape();
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      NormalizeAxis(context.input(3).ElementAsInt64(0), data.rank()));
  for (int i = 0; i < data.rank(); ++i) {
    if (i != axis && shape[i] > data[i]) {
      return context.Error("input 1 has shape ", shape.ToString(),
                           ", want at most ", data.ToString(),
                           " on axes other than ", axis);
    }
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<int64_t> indices,
      CheckedIndices(context, 1, data[axis], /*from_end=*/true));
  const StridedView view = PackedView(data);
  Targets targets(indices.size());
  for (size_t i = 0; i < indices.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i);
    targets[i] = indices[i] * view.strides[axis];
    for (int j = data.rank() - 1; j >= 0; --j) {
      if (j != axis) targets[i] += rest % shape[j] * view.strides[j];
      rest /= shape[j];
    }
  }
  const auto* attributes =
      context.node().As<ScatterElementsUpdateAttributes>();
  return attributes == nullptr
             ? Scatter(context, targets, Combine::kNone, true)
             : Scatter(context, targets, CombineOf(attributes->reduction),
                       attributes->use_init_val);
}

absl::Status ScatterNDUpdateKernel(KernelContext& context) {
  const Shape& data = context.input(0).shape();
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<int64_t> offsets,
                            TupleOffsets(context, 1, data, 0));
  const int tuple = static_cast<int>(context.input(1).shape().back());
  const int64_t run = data.Count(tuple, data.rank());
  Targets targets;
  targets.reserve(context.input(2).element_count());
  for (int64_t offset : offsets) {
    for (int64_t i = 0; i < run; ++i) targets.push_back(offset + i);
  }
  const auto* attributes = context.node().As<ScatterNDUpdateAttributes>();
  return Scatter(context, targets,
                 attributes == nullptr ? Combine::kNone
                                       : CombineOf(attributes->reduction),
                 true);
}

}  // namespace dovetail
