#include "dovetail/core/ops/activation/activation.h"

#include <optional>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/value_math.h"

namespace dovetail {
namespace {

constexpr EnumName kGeluModeNames[] = {
    {static_cast<int>(GeluMode::kErf), "erf"},
    {static_cast<int>(GeluMode::kTanh), "tanh"},
};

}  // namespace

absl::Span<const EnumName> EnumNames(GeluMode) { return kGeluModeNames; }

absl::Status InferActivation(InferContext& context) {
  context.SetOutput(0, context.type(0), context.shape(0));
  return absl::OkStatus();
}

absl::Status InferRelu(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(InferActivation(context));
  PropagateUnary(context,
                 [](Interval x) { return MaximumIntervals(x, {0, 0}); });
  return absl::OkStatus();
}

PartialShape AlignSlope(const PartialShape& slope, const PartialShape& data) {
  if (!slope.rank_known() || slope.rank() != 1) return slope;
  if (!data.rank_known() || data.rank() < 2) return slope;
  if (!data[1].Compatible(slope[0])) return slope;
  PartialShape aligned(Shape::Filled(data.rank(), 1));
  aligned[1] = slope[0];
  return aligned;
}

absl::Status InferPRelu(InferContext& context) {
  // Real FP16 models of version 10 have slopes of another type than the data,
  // which OpenVINO takes: the kernel converts them.
  DOVETAIL_RETURN_IF_ERROR(RequireNumeric(context, 1));
  const PartialShape& data = context.shape(0);
  const std::optional<PartialShape> joined =
      BroadcastNumpy(AlignSlope(context.shape(1), data), data);
  if (!joined.has_value() || !joined->Compatible(data)) {
    return context.Error("a slope of shape ", context.shape(1).ToString(),
                         " does not broadcast to data of shape ",
                         data.ToString());
  }
  context.SetOutput(0, context.type(0), data);
  return absl::OkStatus();
}

absl::Status InferParametricActivation(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const ElementType type,
      RequireSameType(context, 0, context.input_count() - 1));
  for (int i = 1; i < context.input_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, i));
  }
  context.SetOutput(0, type, context.shape(0));
  return absl::OkStatus();
}

}  // namespace dovetail
