#include "dovetail/backends/cpu/steps/indexing/top_k.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "dovetail/backends/common/kernels/indexing/top_k.h"
#include "dovetail/backends/common/kernels/simd/columns.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/ops/indexing/ordering/top_k.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kElementsAtATime = 1 << 13;

host::TopKOutput OutputOf(const StepRun& run, bool is_i64) {
  host::TopKOutput out;
  out.values = run.output<float>(0);
  if (is_i64) {
    out.indices_i64 = run.output<int64_t>(1);
  } else {
    out.indices_i32 = run.output<int32_t>(1);
  }
  return out;
}

struct TopKShape {
  int64_t outer, length, inner, k;
};

// Of rows: inner is 1. Each thread has a part of the rows and of the scratch.
class RowsStep : public Step {
 public:
  RowsStep(const TopKShape& shape, const host::TopKOptions& options,
           bool is_i64, int threads)
      : shape_(shape),
        options_(options),
        is_i64_(is_i64),
        parts_(
            std::clamp<int64_t>(shape.outer * shape.length / kElementsAtATime,
                                1, std::min<int64_t>(threads, shape.outer))),
        scratch_(host::TopKScratch(shape.length, shape.k)) {}

  int64_t scratch_bytes() const {
    return parts_ * scratch_ * static_cast<int64_t>(sizeof(uint64_t));
  }

  absl::Status Run(const StepRun& run) const override {
    const host::TopKOutput out = OutputOf(run, is_i64_);
    auto* const scratch = static_cast<uint64_t*>(run.scratch);
    run.environment->team().Run(static_cast<int>(parts_), [&](int i) {
      host::TopKRows(run.input<float>(0), shape_.length, shape_.k, options_,
                     out, scratch == nullptr ? nullptr : scratch + i * scratch_,
                     shape_.outer * i / parts_,
                     shape_.outer * (i + 1) / parts_);
    });
    return absl::OkStatus();
  }

 private:
  const TopKShape shape_;
  const host::TopKOptions options_;
  const bool is_i64_;
  const int64_t parts_, scratch_;
};

// The best one along an axis that is not the last, or of each of many short
// rows.
class BestStep : public Step {
 public:
  BestStep(const TopKShape& shape, bool of_max, bool is_i64)
      : shape_(shape), of_max_(of_max), is_i64_(is_i64) {}

  absl::Status Run(const StepRun& run) const override {
    if (shape_.inner == 1) {
      RunRows(run);
    } else {
      RunColumns(run);
    }
    return absl::OkStatus();
  }

 private:
  void RunRows(const StepRun& run) const {
    const host::TopKOutput out = OutputOf(run, is_i64_);
    ParallelFor(
        run.environment->team(), shape_.outer,
        std::max<int64_t>(host::kColumnGroup, kElementsAtATime / shape_.length),
        [&](int64_t begin, int64_t end) {
          host::BestOfRows(run.input<float>(0), shape_.length, of_max_, out,
                           begin, end);
        });
  }

  void RunColumns(const StepRun& run) const {
    const host::TopKOutput out = OutputOf(run, is_i64_);
    const int64_t units = host::ColumnUnits(shape_.outer, shape_.inner);
    const int64_t elements = shape_.outer * shape_.length * shape_.inner;
    ParallelFor(run.environment->team(), units,
                std::max<int64_t>(1, kElementsAtATime * units / elements),
                [&](int64_t begin, int64_t end) {
                  host::BestOfColumns(run.input<float>(0), shape_.length,
                                      shape_.inner, of_max_, out, begin, end);
                });
  }

  const TopKShape shape_;
  const bool of_max_, is_i64_;
};

bool AreShortRows(const TopKShape& shape) {
  // Longer ones are read by vectors, of which most have nothing to add.
  constexpr int64_t kShortRow = 128;
  return shape.inner == 1 && shape.k == 1 && shape.length <= kShortRow;
}

// How the best one along the channels is read: as they lie. Other layouts stay
// planar: nobody reorders indices of i64.
Layout LayoutOf(const Node& node, int axis, int64_t k,
                const PlanBuilder& builder) {
  const Value data = node.input(0);
  const int rank = PlanBuilder::ShapeOf(data).rank();
  const bool is_of_channels = axis == 1 && k == 1 && rank >= 3 && rank <= 5;
  return is_of_channels &&
                 builder.FormatOf(data).layout == Layout::kChannelsLast
             ? Layout::kChannelsLast
             : Layout::kPlanar;
}

bool Fits(const TopKShape& shape) {
  constexpr int64_t kLongestRow = int64_t{1} << 31;
  constexpr int64_t kLongestColumn = int64_t{1} << 24;
  if (shape.k < 1 || shape.k > shape.length) return false;
  if (shape.inner == 1) return shape.length < kLongestRow;
  return shape.k == 1 && shape.length < kLongestColumn;
}

Operand WriteIfUsed(const Node& node, PlanBuilder& builder, int output,
                    Layout layout) {
  if (node.port(output).uses.empty()) return {};
  const Value value = PlanBuilder::OutputOf(node, output);
  return builder.Write(value, {value.type(), layout});
}

}  // namespace

absl::StatusOr<bool> EmitTopK(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<TopKAttributes>();
  const Value data = node.input(0);
  const Shape whole = PlanBuilder::ShapeOf(data);
  if (attributes == nullptr || data.type() != ElementType::kF32 ||
      whole.rank() == 0) {
    return false;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes->axis, whole.rank()));
  const int64_t k = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node))[axis];
  const Format format = {ElementType::kF32, LayoutOf(node, axis, k, builder)};
  TopKShape shape = {whole.Count(0, axis), whole[axis],
                     whole.Count(axis + 1, whole.rank()), k};
  if (format.layout == Layout::kChannelsLast) {
    shape.outer *= std::exchange(shape.inner, 1);
  }
  if (!Fits(shape)) return false;
  const bool is_i64 = node.port(1).type == ElementType::kI64;
  const bool of_max = attributes->mode == TopKMode::kMax;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.Read(data, format));
  // One channel lies the same in both layouts.
  const Operand values = WriteIfUsed(node, builder, 0, Layout::kPlanar);
  const Operand indices = WriteIfUsed(node, builder, 1, Layout::kPlanar);
  if (shape.inner > 1 || AreShortRows(shape)) {
    builder.Add(node, "top_k",
                std::make_unique<BestStep>(shape, of_max, is_i64), {input},
                {values, indices});
    return true;
  }
  host::TopKOptions options;
  options.of_max = of_max;
  options.sort_by_index = attributes->sort == TopKSort::kIndex;
  auto step = std::make_unique<RowsStep>(shape, options, is_i64,
                                         builder.settings().threads);
  const Operand scratch = builder.Scratch(step->scratch_bytes());
  builder.Add(node, "top_k", std::move(step), {input}, {values, indices},
              scratch);
  return true;
}

}  // namespace dovetail::cpu
