#include "dovetail/backends/cpu/steps/movement/copy_step.h"

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
  // Nothing changes where both begin at one address: what a variable kept, and
  // the result that begins with it.
  bool is_same_order = false;
  host::StridedCopy copy;
  int input, output;
  int64_t from, to;  // bytes into them
};

// A part of the work is a part of each copy, so that threads meet once, and
// what copies put side by side is written by one thread.
class CopyStep : public Step {
 public:
  CopyStep(std::vector<PlacedCopy> copies, int64_t bytes)
      : copies_(std::move(copies)),
        parts_((bytes + kBytesAtATime - 1) / kBytesAtATime) {}

  absl::Status Run(const StepRun& run) const override {
    ParallelFor(run.environment->team(), parts_, 1,
                [&](int64_t begin, int64_t end) {
                  for (int64_t part = begin; part < end; ++part) {
                    for (const PlacedCopy& placed : copies_) {
                      RunPart(placed, part, run);
                    }
                  }
                });
    return absl::OkStatus();
  }

 private:
  void RunPart(const PlacedCopy& placed, int64_t part,
               const StepRun& run) const {
    const int64_t units = placed.copy.unit_count;
    const char* const from = run.input<char>(placed.input) + placed.from;
    char* const to = run.output<char>(placed.output) + placed.to;
    if (placed.is_same_order && from == to) return;
    host::RunStridedCopy(placed.copy, from, to, part * units / parts_,
                         (part + 1) * units / parts_);
  }

  const std::vector<PlacedCopy> copies_;
  const int64_t parts_;
};

absl::Span<const int64_t> StridesOf(const StridedView& view) {
  return view.strides;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Step>> MakeCopyStep(
    ElementType type, absl::Span<const ViewCopy> copies) {
  const int size = BitWidth(type) / 8;
  std::vector<PlacedCopy> placed;
  int64_t bytes = 0;
  for (const ViewCopy& copy : copies) {
    PlacedCopy one;
    DOVETAIL_ASSIGN_OR_RETURN(
        one.copy,
        host::MakeStridedCopy(copy.to.shape.dims(), StridesOf(copy.from),
                              StridesOf(copy.to), size));
    one.is_same_order = copy.from.strides == copy.to.strides;
    one.input = copy.input;
    one.output = copy.output;
    one.from = copy.from.offset * size;
    one.to = copy.to.offset * size;
    bytes += copy.to.shape.Count() * size;
    placed.push_back(std::move(one));
  }
  return std::make_unique<CopyStep>(std::move(placed), bytes);
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
