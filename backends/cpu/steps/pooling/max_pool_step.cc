#include "dovetail/backends/cpu/steps/pooling/max_pool_step.h"

#include <memory>

#include "dovetail/backends/cpu/kernels/pooling/max_pool_bytes.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kBlock = 8;
// Comparisons that are worth a task of their own.
constexpr int64_t kWorkAtATime = 1 << 15;

template <typename T>
class MaxPoolBytesStep : public Step {
 public:
  explicit MaxPoolBytesStep(const MaxPoolShape& shape) : shape_(shape) {}

  absl::Status Run(const StepRun& run) const override {
    const int64_t work = shape_.columns.output * shape_.columns.kernel *
                         shape_.rows.kernel * kBlock;
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

}  // namespace

absl::StatusOr<bool> EmitMaxPoolOfBytes(
    const Node& node, PlanBuilder& builder,
    absl::Span<const dovetail::WindowAxis> axes) {
  const Format stored = builder.FormatOf(node.input(0));
  const Format format = {stored.type, Layout::kBlocked8};
  const bool is_unsigned = format.type == ElementType::kU8;
  // With dot products, convolutions are those of oneDNN, channels last.
  if (axes.size() != 2 || (stored != format && HasDotProducts()) ||
      !(is_unsigned || format.type == ElementType::kI8) ||
      !AllCoverData(axes)) {
    return false;
  }
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  MaxPoolShape shape;
  shape.planes = data[0] * ((data[1] + kBlock - 1) / kBlock);
  shape.rows = AxisOf(axes[0]);
  shape.columns = AxisOf(axes[1]);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.Read(node.input(0), format));
  const Operand output = builder.Write(PlanBuilder::OutputOf(node), format);
  std::unique_ptr<Step> step;
  if (is_unsigned) {
    step = std::make_unique<MaxPoolBytesStep<uint8_t>>(shape);
  } else {
    step = std::make_unique<MaxPoolBytesStep<int8_t>>(shape);
  }
  builder.Add(node, "max_pool_bytes", std::move(step), {input}, {output});
  return true;
}

}  // namespace dovetail::cpu
