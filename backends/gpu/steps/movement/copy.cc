#include "dovetail/backends/gpu/steps/movement/copy.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

// Both views without axes of extent 1, with those merged that are one in both;
// at least one axis is left.
void CondenseTogether(StridedView& from, StridedView& to) {
  StridedView source, target;
  source.offset = from.offset;
  target.offset = to.offset;
  for (int i = 0; i < to.rank(); ++i) {
    const int64_t extent = to.shape[i];
    if (extent == 1) continue;
    const int last = target.rank() - 1;
    if (last >= 0 && source.strides[last] == extent * from.strides[i] &&
        target.strides[last] == extent * to.strides[i]) {
      source.shape[last] *= extent;
      target.shape[last] *= extent;
      source.strides[last] = from.strides[i];
      target.strides[last] = to.strides[i];
      continue;
    }
    source.AddAxis(extent, from.strides[i]);
    target.AddAxis(extent, to.strides[i]);
  }
  if (target.rank() == 0) {
    source.AddAxis(1, 1);
    target.AddAxis(1, 1);
  }
  from = std::move(source);
  to = std::move(target);
}

void RemoveAxis(StridedView& view, int axis) {
  view.shape.erase(axis);
  view.strides.erase(view.strides.begin() + axis);
}

// The launch with operands, where in them the views begin, and the ints `from`
// and `to`, which are these places.
Launch NewLaunch(const Place& from, const Place& to) {
  const absl::string_view type = ClMoved(to.operand.format.type);
  Launch launch;
  AddInput(launch, "source", type, from.operand);
  AddOutput(launch, "target", type, to.operand);
  AddInt(launch, "source_offset", from.view.offset);
  AddInt(launch, "target_offset", to.view.offset);
  return launch;
}

constexpr char kPlaces[] = "int from = source_offset, to = target_offset;\n";

// Rows of few elements that lie apart, such as the colors of pixels, cost more
// for finding where they are than for copying: the longest axis becomes the
// last one.
void LengthenRows(StridedView& from, StridedView& to) {
  constexpr int64_t kFew = 16;
  const int last = to.rank() - 1;
  const bool apart = from.strides[last] > 1 || to.strides[last] > 1;
  const int longest = static_cast<int>(
      std::max_element(to.shape.begin(), to.shape.end()) - to.shape.begin());
  if (!apart || to.shape[last] >= kFew || to.shape[longest] < kFew) return;
  for (StridedView* const view : {&from, &to}) {
    std::swap(view->shape[longest], view->shape[last]);
    std::swap(view->strides[longest], view->strides[last]);
  }
}

// Rows of the last axis, from any stride to any stride.
Launch RowsLaunch(const PlanBuilder& builder, Place from, Place to) {
  LengthenRows(from.view, to.view);
  Launch launch = NewLaunch(from, to);
  const absl::string_view type = ClMoved(to.operand.format.type);
  const int64_t run = to.view.shape.back();
  const int64_t step = from.view.strides.back();
  const bool packed = to.view.strides.back() == 1;
  AddRuns(launch, builder, to.view.shape.Count() / run, run);
  launch.writer.Body(absl::StrCat(kPlaces, "int rest = r;\n"));
  const int64_t target_step = to.view.strides.back();
  RemoveAxis(from.view, from.view.rank() - 1);
  RemoveAxis(to.view, to.view.rank() - 1);
  AddAxes(launch, from.view, to.view);
  launch.kernel = "copy_strided";
  if (packed && step == 1) {
    launch.kernel = "copy_rows";
    launch.writer.Body(
        absl::StrCat(CopyRun(launch, builder, type),
                     "(source + from + first, target + to + first, n);\n"));
  } else if (packed && step == 0) {
    launch.kernel = "copy_repeated";
    launch.writer.Body(
        absl::StrCat(FillRun(launch, builder, type),
                     "(source[from], target + to + first, n);\n"));
  } else {
    AddInt(launch, "source_step", step);
    AddInt(launch, "target_step", target_step);
    launch.writer.Body(
        "for (int k = first; k < first + n; ++k)\n"
        "  target[to + k * target_step] = source[from + k * source_step];\n");
  }
  return launch;
}

// Of axis `axis`, whose elements lie side by side in the source, and the last
// one, whose elements do in the target: a work item has a square of both.
constexpr char kSquare[] = R"(
int rest = i / tiles_a / tiles_b;
const int a = i % tiles_a * $n, b = i / tiles_a % tiles_b * $n;
from += a * step_a + b;
to += a + b * step_b;
)";
constexpr char kCopySquare[] = R"(
const int n_a = min($n, extent_a - a), n_b = min($n, extent_b - b);
if (n_a == $n && n_b == $n) {
  $type tile[$n * $n];
  for (int j = 0; j < $n; ++j)
    vstore$n(vload$n(0, source + from + j * step_a), j, tile);
  for (int k = 0; k < $n; ++k)
    for (int j = 0; j < $n; ++j) target[to + k * step_b + j] = tile[j * $n + k];
} else {
  for (int k = 0; k < n_b; ++k)
    for (int j = 0; j < n_a; ++j)
      target[to + k * step_b + j] = source[from + j * step_a + k];
}
)";

Launch SquaresLaunch(const PlanBuilder& builder, Place from, Place to,
                     int axis) {
  Launch launch = NewLaunch(from, to);
  const int lanes = builder.lanes().lanes;
  const int64_t extent_a = to.view.shape.back();
  const int64_t extent_b = to.view.shape[axis];
  const int64_t tiles_a = CeilDivide(extent_a, lanes);
  const int64_t tiles_b = CeilDivide(extent_b, lanes);
  const int64_t others = to.view.shape.Count() / extent_a / extent_b;
  AddInt(launch, "extent_a", extent_a);
  AddInt(launch, "extent_b", extent_b);
  AddInt(launch, "step_a", from.view.strides.back());
  AddInt(launch, "step_b", to.view.strides[axis]);
  AddInt(launch, "tiles_a", tiles_a);
  AddInt(launch, "tiles_b", tiles_b);
  AddItems(launch, builder, others * tiles_a * tiles_b);
  for (StridedView* const view : {&from.view, &to.view}) {
    RemoveAxis(*view, view->rank() - 1);
    RemoveAxis(*view, axis);
  }
  const absl::string_view type = ClMoved(to.operand.format.type);
  const std::string n = absl::StrCat(lanes);
  const auto text = [&](absl::string_view pattern) {
    return absl::StrReplaceAll(pattern, {{"$n", n}, {"$type", type}});
  };
  launch.writer.Body(absl::StrCat(kPlaces, text(kSquare)));
  AddAxes(launch, from.view, to.view);
  launch.writer.Body(text(kCopySquare));
  launch.kernel = "transpose";
  return launch;
}

// An axis along which the source's elements lie side by side and the target's
// do not, where that pays; -1: none.
int SquareAxis(const PlanBuilder& builder, const StridedView& from,
               const StridedView& to) {
  const int lanes = builder.lanes().lanes, last = to.rank() - 1;
  if (lanes == 1 || to.strides[last] != 1 || to.shape[last] < lanes / 2 ||
      from.strides[last] <= 1) {
    return -1;
  }
  for (int axis = 0; axis < last; ++axis) {
    if (from.strides[axis] == 1 && to.shape[axis] >= lanes / 2) return axis;
  }
  return -1;
}

}  // namespace

void AddAxes(Launch& launch, const StridedView& from, const StridedView& to) {
  for (int axis = to.rank() - 1; axis >= 0; --axis) {
    AddInt(launch, absl::StrCat("extent", axis), to.shape[axis]);
    AddInt(launch, absl::StrCat("source", axis), from.strides[axis]);
    AddInt(launch, absl::StrCat("target", axis), to.strides[axis]);
    launch.writer.Body(absl::Substitute(R"(
from += rest % extent$0 * source$0;
to += rest % extent$0 * target$0;
rest /= extent$0;
)",
                                        axis));
  }
}

void AddCopy(const Node& node, PlanBuilder& builder, Place from, Place to) {
  CondenseTogether(from.view, to.view);
  const ElementType type = to.operand.format.type;
  const int axis = SquareAxis(builder, from.view, to.view);
  Launch launch =
      axis >= 0 ? SquaresLaunch(builder, std::move(from), std::move(to), axis)
                : RowsLaunch(builder, std::move(from), std::move(to));
  launch.kernel = KernelName(launch.kernel, type);
  builder.AddLaunch(node, std::move(launch));
}

}  // namespace dovetail::gpu
