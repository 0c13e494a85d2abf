#include "dovetail/backends/cpu/steps/normalization/rms_norm.h"

#include <optional>
#include <vector>

#include "dovetail/backends/cpu/kernels/normalization/variance.h"
#include "dovetail/backends/cpu/steps/normalization/row_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/transformations/fusion/normalization/rms_norm_pattern.h"

namespace dovetail::cpu {
namespace {

// Whether gamma is as long as the last axis, or absent.
bool FitsLastAxis(Value gamma, const Shape& shape) {
  if (!gamma) return true;
  const Shape own = PlanBuilder::ShapeOf(gamma);
  return gamma.type() == ElementType::kF32 && own.rank() > 0 &&
         own.back() == shape.back() && own.Count() == own.back();
}

}  // namespace

absl::StatusOr<bool> EmitRmsNorm(const Node& node, PlanBuilder& builder) {
  const std::optional<RmsNorm> norm = RmsNormFrom(node);
  if (!norm || norm->x.type() != ElementType::kF32) return false;
  const Shape shape = PlanBuilder::ShapeOf(norm->x);
  const Value result = PlanBuilder::OutputOf(*norm->nodes.front());
  if (norm->axes != std::vector<int64_t>{shape.rank() - 1} ||
      !builder.IsReady(norm->x) || PlanBuilder::ShapeOf(result) != shape ||
      !FitsLastAxis(norm->gamma, shape)) {
    return false;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.ReadPlain(norm->x));
  Operand gamma;
  if (norm->gamma) {
    DOVETAIL_ASSIGN_OR_RETURN(gamma, builder.ReadPlain(norm->gamma));
  }
  for (const Node* member : norm->nodes) {
    if (member != &node) builder.Fuse(*member);
  }
  const int64_t length = shape.back();
  const ElementType type = RowTypeOf(builder, result, length);
  const Operand output = builder.Write(result, {type, Layout::kPlanar});
  const float epsilon = static_cast<float>(norm->eps);
  if (type == ElementType::kF32) builder.AllowInPlace(output, input);
  builder.Add(node, "rms_norm",
              MakeRowStep(shape.Count() / length, length, type,
                          [=](const StepRun& run, int64_t begin, int64_t end,
                              float* out) {
                            RmsNormRows(run.input<float>(0) + begin * length,
                                        run.input<float>(1), out, length,
                                        epsilon, 0, end - begin);
                          }),
              {input, gamma}, {output});
  return true;
}

}  // namespace dovetail::cpu
