#include "dovetail/backends/cpu/steps/pooling/max_pool_step.h"

#include <memory>
#include <utility>

#include "absl/types/span.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/pooling/max_pool_bytes.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// Comparisons that are worth a task of their own.
constexpr int64_t kWorkAtATime = 1 << 15;

template <typename T>
class MaxPoolBytesStep : public Step {
 public:
  explicit MaxPoolBytesStep(const MaxPoolShape& shape) : shape_(shape) {}

  absl::Status Run(const StepRun& run) const override {
    const int64_t work = shape_.columns.output * shape_.columns.kernel *
                         shape_.rows.kernel * shape_.width;
    ParallelFor(run.environment->team(), shape_.row_count(),
                kWorkAtATime / work + 1, [&](int64_t begin, int64_t end) {
                  MaxPoolBytes(shape_, run.input<T>(0), begin, end - begin,
                               run.output<T>());
                });
    return absl::OkStatus();
  }

 private:
  const MaxPoolShape shape_;
};

WindowAxis AxisOf(const dovetail::WindowAxis& from) {
  WindowAxis axis;
  axis.input = from.input;
  axis.output = from.output;
  axis.kernel = from.kernel;
  axis.stride = from.stride;
  axis.dilation = from.dilation;
  axis.pad = from.pad_begin;
  return axis;
}

// Whether every window has an element of the data, wherever rounding has put
// the last one.
bool AllCoverData(absl::Span<const dovetail::WindowAxis> axes) {
  for (const dovetail::WindowAxis& axis : axes) {
    if (axis.dilation != 1 || axis.pad_begin < 0 ||
        axis.pad_begin >= axis.kernel ||
        axis.Begin(axis.output - 1) >= axis.input) {
      return false;
    }
  }
  return true;
}

// As the data lies, where channels are side by side.
Format FormatFor(const Format& stored) {
  return {stored.type, stored.layout == Layout::kChannelsLast
                           ? Layout::kChannelsLast
                           : Layout::kBlocked8};
}

absl::Status CheckFits(const PoolingProblem& problem, const Format& stored,
                       const Format& format) {
  if (problem.kind != PoolingKind::kMax) return Unimplemented("an average");
  if (format.type != ElementType::kU8 && format.type != ElementType::kI8) {
    return Unimplemented("data of ", ElementTypeName(format.type));
  }
  if (problem.axes.size() != 2) {
    return Unimplemented(problem.axes.size(), " axes");
  }
  // With dot products, nobody behind it wants blocks.
  if (stored != format && HasDotProducts()) {
    return Unimplemented("channels that do not lie side by side");
  }
  if (!AllCoverData(problem.axes)) {
    return Unimplemented("windows with gaps or beside the data");
  }
  return absl::OkStatus();
}

MaxPoolShape ShapeOf(const PoolingProblem& problem, Layout layout) {
  const Shape data = PlanBuilder::ShapeOf(problem.node->input(0));
  MaxPoolShape shape;
  shape.width = layout == Layout::kChannelsLast ? data[1] : kChannelBlock;
  shape.planes = data[0] * CeilDivide(data[1], shape.width);
  shape.rows = AxisOf(problem.axes[0]);
  shape.columns = AxisOf(problem.axes[1]);
  return shape;
}

}  // namespace

absl::StatusOr<KernelOffer> TryMaxPoolBytes(const PoolingProblem& problem,
                                            const PlanBuilder& builder) {
  const Format stored = builder.FormatOf(problem.node->input(0));
  const Format format = FormatFor(stored);
  DOVETAIL_RETURN_IF_ERROR(CheckFits(problem, stored, format));
  KernelOffer offer;
  offer.source = format.layout;
  offer.emit = [&problem, format](PlanBuilder& plan) -> absl::Status {
    const Node& node = *problem.node;
    DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                              plan.Read(node.input(0), format));
    const Operand output = plan.Write(PlanBuilder::OutputOf(node), format);
    const MaxPoolShape shape = ShapeOf(problem, format.layout);
    std::unique_ptr<Step> step;
    if (format.type == ElementType::kU8) {
      step = std::make_unique<MaxPoolBytesStep<uint8_t>>(shape);
    } else {
      step = std::make_unique<MaxPoolBytesStep<int8_t>>(shape);
    }
    plan.Add(node, "max_pool_bytes", std::move(step), {input}, {output});
    return absl::OkStatus();
  };
  return offer;
}

}  // namespace dovetail::cpu
