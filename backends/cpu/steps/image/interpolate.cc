#include "dovetail/backends/cpu/steps/image/interpolate.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dovetail/backends/common/compiler/resize_taps.h"
#include "dovetail/backends/common/kernels/image/resize.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/reference/image/resize/taps.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kElementsAtATime = 1 << 13;

// {planes, rows, columns, channels} to other rows and columns.
struct Images {
  int64_t planes, rows, columns, channels;
};

class ResizeStep : public Step {
 public:
  ResizeStep(const Images& images, host::ResizeTaps rows,
             host::ResizeTaps columns)
      : images_(images), rows_(std::move(rows)), columns_(std::move(columns)) {}

  absl::Status Run(const StepRun& run) const override {
    const int64_t row = columns_.output() * images_.channels;
    ParallelFor(run.environment->team(), images_.planes * rows_.output(),
                std::max<int64_t>(1, kElementsAtATime / row),
                [&](int64_t begin, int64_t end) {
                  host::Resize({images_.rows, images_.columns, images_.channels,
                                rows_, columns_},
                               run.input<float>(0), run.output<float>(), begin,
                               end);
                });
    return absl::OkStatus();
  }

 private:
  const Images images_;
  const host::ResizeTaps rows_, columns_;
};

// The axis of rows, if all axes but that and the next stay as they are; -1
// otherwise. The last two, if none changes.
int RowAxis(const std::vector<AxisTaps>& taps, const Shape& data) {
  const int rank = data.rank();
  int first = rank, last = -1;
  for (int i = 0; i < rank; ++i) {
    if (taps[i].IsIdentity(data[i])) continue;
    first = std::min(first, i);
    last = i;
  }
  if (last - first > 1 || rank < 2) return -1;
  return std::max(0, std::min(first, rank - 2));
}

host::ResizeTaps Packed(const AxisTaps& taps) {
  return host::ResizeTaps(taps.first, taps.indices, taps.weights);
}

}  // namespace

absl::StatusOr<bool> EmitInterpolate(const Node& node, PlanBuilder& builder) {
  const Value data = node.input(0);
  const Value value = PlanBuilder::OutputOf(node);
  const Shape shape = PlanBuilder::ShapeOf(data);
  if (data.type() != ElementType::kF32) return false;
  const auto taps = ResizeTapsOf(node);
  if (!taps) return false;
  const int rows = RowAxis(*taps, shape);
  if (rows < 0) return false;
  Format format = {ElementType::kF32, builder.FormatOf(data).layout};
  if (rows < 2 || shape.rank() != rows + 2) format.layout = Layout::kPlanar;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.Read(data, format));
  const Shape stored = StoredShape(shape, format.layout);
  const int row = StoredAxis(rows, shape.rank(), format.layout);
  const Images images = {stored.Count(0, row), stored[row], stored[row + 1],
                         stored.Count(row + 2, stored.rank())};
  builder.Add(node, "resize",
              std::make_unique<ResizeStep>(images, Packed((*taps)[rows]),
                                           Packed((*taps)[rows + 1])),
              {input}, {builder.Write(value, format)});
  return true;
}

}  // namespace dovetail::cpu
