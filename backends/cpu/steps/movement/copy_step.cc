#include "dovetail/backends/cpu/steps/movement/copy_step.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dovetail/backends/common/kernels/movement/strided_copy.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kBytesAtATime = 1 << 16;

struct PlacedCopy {
  host::StridedCopy copy;
  int input, output;
  int64_t from, to;  // bytes into them
  int64_t grain;     // in units
};

class CopyStep : public Step {
 public:
  explicit CopyStep(std::vector<PlacedCopy> copies)
      : copies_(std::move(copies)) {}

  absl::Status Run(const StepRun& run) const override {
    for (const PlacedCopy& placed : copies_) {
      const char* const from = run.input<char>(placed.input) + placed.from;
      char* const to = run.output<char>(placed.output) + placed.to;
      ParallelFor(run.environment->team(), placed.copy.unit_count, placed.grain,
                  [&](int64_t begin, int64_t end) {
                    host::RunStridedCopy(placed.copy, from, to, begin, end);
                  });
    }
    return absl::OkStatus();
  }

 private:
  const std::vector<PlacedCopy> copies_;
};

absl::Span<const int64_t> StridesOf(const StridedView& view) {
  return view.strides;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Step>> MakeCopyStep(
    ElementType type, absl::Span<const ViewCopy> copies) {
  const int size = BitWidth(type) / 8;
  std::vector<PlacedCopy> placed;
  for (const ViewCopy& copy : copies) {
    PlacedCopy one;
    DOVETAIL_ASSIGN_OR_RETURN(
        one.copy,
        host::MakeStridedCopy(copy.to.shape.dims(), StridesOf(copy.from),
                              StridesOf(copy.to), size));
    one.input = copy.input;
    one.output = copy.output;
    one.from = copy.from.offset * size;
    one.to = copy.to.offset * size;
    const int64_t bytes = copy.to.shape.Count() * size;
    one.grain = std::max<int64_t>(
        1, kBytesAtATime * one.copy.unit_count / std::max<int64_t>(1, bytes));
    placed.push_back(std::move(one));
  }
  return std::make_unique<CopyStep>(std::move(placed));
}

absl::Status AddCopy(const Node& node, PlanBuilder& builder,
                     const StridedView& from, const Operand& input,
                     const StridedView& to, const Operand& output) {
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<Step> step,
      MakeCopyStep(input.format.type, {ViewCopy{from, to}}));
  builder.Add(node, "copy", std::move(step), {input}, {output});
  return absl::OkStatus();
}

}  // namespace dovetail::cpu
