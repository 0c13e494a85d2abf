#include "dovetail/backends/cpu/steps/normalization/group_norm.h"

#include <vector>

#include "dovetail/backends/cpu/kernels/normalization/variance.h"
#include "dovetail/backends/cpu/steps/normalization/channels_last_step.h"
#include "dovetail/backends/cpu/steps/normalization/pixel_norm.h"
#include "dovetail/backends/cpu/steps/normalization/row_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/batch_norm.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitGroupNormalization(const Node& node,
                                            PlanBuilder& builder) {
  const auto* attributes = node.As<GroupNormAttributes>();
  const Value data = node.input(0);
  if (attributes == nullptr || data.type() != ElementType::kF32) return false;
  const Shape shape = PlanBuilder::ShapeOf(data);
  const int64_t groups = attributes->num_groups;
  if (groups < 1 || shape.rank() < 2 || shape[1] % groups != 0) return false;
  const Layout stored = builder.FormatOf(data).layout;
  PixelNorm norm = {"group_norm", stored, groups};
  norm.options.epsilon = static_cast<float>(attributes->epsilon);
  norm.result = PlanBuilder::OutputOf(node);
  DOVETAIL_ASSIGN_OR_RETURN(norm.scale, builder.ReadPlain(node.input(1)));
  DOVETAIL_ASSIGN_OR_RETURN(norm.shift, builder.ReadPlain(node.input(2)));
  if (HasPixels(shape, stored)) {
    DOVETAIL_RETURN_IF_ERROR(EmitPixelNorm(node, norm, builder));
    return true;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.ReadPlain(data));
  const Operand output =
      builder.Write(norm.result, {ElementType::kF32, Layout::kPlanar});
  builder.AllowInPlace(output, input);
  const GroupShape layout = {groups, shape[1] / groups,
                             shape.Count(2, shape.rank())};
  builder.Add(node, norm.name,
              MakeUnitStep(shape[0] * groups, shape.Count(),
                           [layout, options = norm.options](
                               const StepRun& run, int64_t begin, int64_t end) {
                             GroupNorm(OperandsOf(run), layout, options, begin,
                                       end);
                           }),
              {input, norm.scale, norm.shift}, {output});
  return true;
}

}  // namespace dovetail::cpu
