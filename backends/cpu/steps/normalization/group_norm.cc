#include "dovetail/backends/cpu/steps/normalization/group_norm.h"

#include <vector>

#include "dovetail/backends/cpu/kernels/normalization/variance.h"
#include "dovetail/backends/cpu/steps/normalization/channels_last_step.h"
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
  Format format = {ElementType::kF32, builder.FormatOf(data).layout};
  const bool has_pixels = HasPixels(shape, format.layout);
  if (!has_pixels) format.layout = Layout::kPlanar;
  std::vector<Operand> inputs(3);
  DOVETAIL_ASSIGN_OR_RETURN(inputs[0], builder.Read(data, format));
  for (int i = 1; i < 3; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(inputs[i], builder.ReadPlain(node.input(i)));
  }
  const Operand output = builder.Write(PlanBuilder::OutputOf(node), format);
  VarianceOptions options;
  options.epsilon = static_cast<float>(attributes->epsilon);
  builder.AllowInPlace(output, inputs[0]);
  if (has_pixels) {
    const PixelShape pixels = PixelsOf(shape, format.layout, groups);
    builder.Add(node, "group_norm",
                MakeChannelsLastStep(shape[0], pixels, options), inputs,
                {output},
                builder.Scratch(ChannelsLastScratchBytes(shape[0], pixels)));
    return true;
  }
  const GroupShape layout = {groups, shape[1] / groups,
                             shape.Count(2, shape.rank())};
  builder.Add(node, "group_norm",
              MakeUnitStep(shape[0] * groups, shape.Count(),
                           [=](const StepRun& run, int64_t begin, int64_t end) {
                             GroupNorm(OperandsOf(run), layout, options, begin,
                                       end);
                           }),
              inputs, {output});
  return true;
}

}  // namespace dovetail::cpu
