#include "dovetail/backends/cpu/steps/indexing/slice_scatter.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/common/kernels/indexing/scatter_runs.h"
#include "dovetail/backends/cpu/steps/indexing/scatter_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/movement/slicing/slice.h"

namespace dovetail::cpu {
namespace {

using host::ScatterRun;

// The place in the data of the view's row `k`, along all axes before `rank`.
int64_t PlaceOf(const StridedView& view, int rank, int64_t k) {
  int64_t place = view.offset;
  for (int i = rank - 1; i >= 0; --i) {
    place += k % view.shape[i] * view.strides[i];
    k /= view.shape[i];
  }
  return place;
}

// Nothing where there would be many short ones, which take longer to read than
// what they say.
std::optional<std::vector<ScatterRun>> RunsOf(const StridedView& view,
                                              int64_t element_size) {
  constexpr int64_t kLongBytes = 64, kFew = 1024;
  const bool by_rows = view.rank() > 0 && view.strides.back() == 1;
  const int rank = by_rows ? view.rank() - 1 : view.rank();
  const int64_t length = element_size * (by_rows ? view.shape.back() : 1);
  const int64_t count = length == 0 ? 0 : view.shape.Count(0, rank);
  if (length < kLongBytes && count > kFew) return std::nullopt;
  std::vector<ScatterRun> runs;
  for (int64_t k = 0; k < count; ++k) {
    host::AppendScatterRun({.to = PlaceOf(view, rank, k) * element_size,
                            .from = k * length,
                            .length = length},
                           runs);
  }
  // Elements of a slice lie apart.
  host::SortScatterRuns(runs);
  runs.shrink_to_fit();
  return runs;
}

// Nothing where it is computed.
absl::StatusOr<std::optional<StridedView>> SliceOf(const Node& node,
                                                   const Shape& data) {
  const auto start = ConstantList(node, 2), stop = ConstantList(node, 3);
  const auto step = ConstantList(node, 4);
  const bool has_axes = node.input_count() > 5;
  const auto axes = has_axes ? ConstantList(node, 5) : std::vector<int64_t>();
  if (!start || !stop || !step || !axes) return std::nullopt;
  DOVETAIL_ASSIGN_OR_RETURN(StridedView view,
                            SelectSlices(data, *start, *stop, *step, *axes));
  return std::optional(std::move(view));
}

}  // namespace

absl::StatusOr<bool> EmitSliceScatter(const Node& node, PlanBuilder& builder) {
  const ElementType type = node.input(0).type();
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  if (!IsCopied(type) || data.Count() == 0) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const auto view, SliceOf(node, data));
  if (!view.has_value()) return false;
  const int size = BitWidth(type) / 8;
  auto runs = RunsOf(*view, size);
  if (!runs.has_value()) return false;
  host::ScatterRuns scattered = {.batch = 1,
                                 .data_bytes = data.Count() * size,
                                 .update_bytes = view->shape.Count() * size,
                                 .runs = *std::move(runs)};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand whole,
                            builder.ReadPlain(node.input(0)));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand updates,
                            builder.ReadPlain(node.input(1)));
  const Operand output = builder.WritePlain(PlanBuilder::OutputOf(node));
  builder.AllowInPlace(output, whole, /*alone=*/true);
  builder.Add(node, "scatter",
              MakeScatterByRunsStep(std::move(scattered), {}, size),
              {whole, updates}, {output});
  return true;
}

}  // namespace dovetail::cpu
