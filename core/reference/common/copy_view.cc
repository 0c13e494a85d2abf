#include "dovetail/core/reference/common/copy_view.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/dispatch.h"

namespace dovetail {
namespace {

// One axis of a copy: its extent, and the distances on both sides.
struct Axis {
  int64_t extent, from, to;
};

// A copy with as few axes as say the same; there are always two, the last one
// innermost.
struct CopyPlan {
  std::vector<Axis> axes;
  int64_t from_offset, to_offset;

  const Axis& inner() const { return axes.back(); }
  const Axis& second() const { return axes[axes.size() - 2]; }
};

int64_t Magnitude(int64_t stride) { return stride < 0 ? -stride : stride; }

// Drops axes of extent 1 and joins axes that are one run on both sides. Where
// the innermost axis is a run on the target's side only, the axis that is one
// on the source's side comes next to it.
CopyPlan Simplified(const StridedView& from, const StridedView& to) {
  CopyPlan plan{{}, from.offset, to.offset};
  for (int i = 0; i < from.rank(); ++i) {
    const Axis axis = {from.shape[i], from.strides[i], to.strides[i]};
    if (axis.extent == 1) continue;
    const bool joins = !plan.axes.empty() &&
                       plan.axes.back().from == axis.from * axis.extent &&
                       plan.axes.back().to == axis.to * axis.extent;
    if (joins) {
      plan.axes.back() = {plan.axes.back().extent * axis.extent, axis.from,
                          axis.to};
    } else {
      plan.axes.push_back(axis);
    }
  }
  while (plan.axes.size() < 2) {
    plan.axes.insert(plan.axes.begin(), {1, 0, 0});
  }
  if (Magnitude(plan.inner().from) > 1) {
    const auto run = std::find_if(
        plan.axes.begin(), plan.axes.end(),
        [](const Axis& axis) { return axis.extent > 1 && axis.from == 1; });
    if (run != plan.axes.end()) {
      std::rotate(run, run + 1, plan.axes.end() - 1);
    }
  }
  return plan;
}

// The last two axes of a copy, from these first elements on. Tiles keep both
// sides in the cache when they run across each other.
template <typename T>
void CopyPlane(const T* from, T* to, const Axis& outer, const Axis& inner) {
  if (inner.from == 1 && inner.to == 1) {
    for (int64_t i = 0; i < outer.extent; ++i) {
      std::copy_n(from + i * outer.from, inner.extent, to + i * outer.to);
    }
    return;
  }
  if (inner.from == 0 && inner.to == 1) {
    for (int64_t i = 0; i < outer.extent; ++i) {
      std::fill_n(to + i * outer.to, inner.extent, from[i * outer.from]);
    }
    return;
  }
  constexpr int64_t kTile = 32;
  for (int64_t i0 = 0; i0 < outer.extent; i0 += kTile) {
    const int64_t i1 = std::min(i0 + kTile, outer.extent);
    for (int64_t j0 = 0; j0 < inner.extent; j0 += kTile) {
      const int64_t j1 = std::min(j0 + kTile, inner.extent);
      for (int64_t i = i0; i < i1; ++i) {
        for (int64_t j = j0; j < j1; ++j) {
          to[i * outer.to + j * inner.to] =
              from[i * outer.from + j * inner.from];
        }
      }
    }
  }
}

// Copies part [begin, end) of the iterations over all axes but the last one,
// numbered in C order.
template <typename T>
void CopyRows(const CopyPlan& plan, const T* from, T* to, int64_t begin,
              int64_t end) {
  const int planes_rank = static_cast<int>(plan.axes.size()) - 2;
  for (int64_t row = begin; row < end;) {
    // Where the plane begins that holds this row, and which of its rows it is.
    int64_t plane = row / plan.second().extent;
    const int64_t first = row % plan.second().extent;
    const int64_t count = std::min(plan.second().extent - first, end - row);
    int64_t source = plan.from_offset + first * plan.second().from;
    int64_t target = plan.to_offset + first * plan.second().to;
    for (int i = planes_rank - 1; i >= 0; --i) {
      const int64_t at = plane % plan.axes[i].extent;
      plane /= plan.axes[i].extent;
      source += at * plan.axes[i].from;
      target += at * plan.axes[i].to;
    }
    const Axis rows = {count, plan.second().from, plan.second().to};
    CopyPlane(from + source, to + target, rows, plan.inner());
    row += count;
  }
}

}  // namespace

absl::Status CopyView(const KernelContext& context, const Tensor& source,
                      const StridedView& from, const Tensor& target,
                      const StridedView& to) {
  if (!target.has_data() || source.type() != target.type() ||
      from.shape != to.shape) {
    return Internal(context.node().Describe(), ": copies ",
                    ElementTypeName(source.type()), from.shape.ToString(),
                    " to ", ElementTypeName(target.type()),
                    to.shape.ToString());
  }
  for (int64_t extent : from.shape) {
    if (extent == 0) return absl::OkStatus();
  }
  const CopyPlan plan = Simplified(from, to);
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < plan.axes.size(); ++i) {
    rows *= plan.axes[i].extent;
  }
  return DispatchBySize(source.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* const data = source.data<T>();
    T* const out = target.mutable_data<T>();
    // A single long row is worth several threads, too.
    const bool one_run =
        rows == 1 && plan.inner().from == 1 && plan.inner().to == 1;
    if (one_run) {
      ParallelLoop(context, plan.inner().extent, 1,
                   [&](int64_t begin, int64_t end) {
                     std::copy_n(data + plan.from_offset + begin, end - begin,
                                 out + plan.to_offset + begin);
                   });
      return absl::OkStatus();
    }
    ParallelLoop(context, rows, plan.inner().extent,
                 [&](int64_t begin, int64_t end) {
                   CopyRows(plan, data, out, begin, end);
                 });
    return absl::OkStatus();
  });
}

absl::Status CopyToOutput(const KernelContext& context, const Tensor& source,
                          const StridedView& from, int i) {
  const Tensor& target = context.output(i);
  if (from.shape.Count() != target.element_count()) {
    return Internal(context.node().Describe(), ": copies ",
                    from.shape.ToString(), " to ", target.shape().ToString());
  }
  return CopyView(context, source, from, target, PackedView(from.shape));
}

absl::Status CopyElements(const KernelContext& context, const Tensor& source,
                          const Tensor& target) {
  const Shape all{source.element_count()};
  if (target.element_count() != source.element_count()) {
    return Internal(context.node().Describe(), ": copies ",
                    source.shape().ToString(), " to ",
                    target.shape().ToString());
  }
  return CopyView(context, source, PackedView(all), target, PackedView(all));
}

absl::Status FillElements(const KernelContext& context, const Tensor* value,
                          const Tensor& target) {
  return DispatchBySize(target.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T element = value != nullptr ? *value->data<T>() : T();
    T* const out = target.mutable_data<T>();
    ParallelLoop(context, target.element_count(), 1,
                 [&](int64_t begin, int64_t end) {
                   std::fill(out + begin, out + end, element);
                 });
    return absl::OkStatus();
  });
}

}  // namespace dovetail
