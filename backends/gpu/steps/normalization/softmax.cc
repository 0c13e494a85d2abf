#include "dovetail/backends/gpu/steps/normalization/softmax.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/lanes/lane_launch.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/axes.h"
#include "dovetail/core/ops/normalization/softmax.h"

namespace dovetail::gpu {
namespace {

std::string SoftmaxText(const LaneGeometry& lanes) {
  return absl::StrCat(
      GreatestOfLane(lanes, "in", "greatest"),
      ForLane(lanes, "in", "$STORE(exp(x - greatest), out + at);"),
      SumOfLane(lanes, "out", "sum", "x"),
      lanes.is_rows() ? "const float factor" : "const $V factor",
      " = 1 / sum;\n", ForLane(lanes, "out", "$STORE(x * factor, out + at);"));
}

// The maximum and the logarithm one after the other: the latter would be lost
// in a great maximum.
std::string LogSoftmaxText(const LaneGeometry& lanes) {
  return absl::StrCat(
      GreatestOfLane(lanes, "in", "greatest"),
      SumOfLane(lanes, "in", "sum", "exp(x - greatest)"),
      lanes.is_rows() ? "const float term" : "const $V term", " = log(sum);\n",
      ForLane(lanes, "in", "$STORE(x - greatest - term, out + at);"));
}

}  // namespace

absl::StatusOr<bool> EmitSoftmax(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<SoftmaxAttributes>();
  const Value data = node.input(0);
  const Shape shape = PlanBuilder::ShapeOf(data);
  if (attributes == nullptr || data.type() != ElementType::kF32) return false;
  const auto lanes = LaneGeometryOf(
      shape, shape.rank() == 0 ? std::vector<bool>()
                               : AxisFlags({attributes->axis}, shape.rank()));
  if (!lanes) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                            builder.Read(data, builder.StoredFormat(data)));
  const Value result = PlanBuilder::OutputOf(node);
  const Operand output = builder.Write(result, builder.StorageFormat(result));
  const bool is_log = node.Is("LogSoftmax");
  LaneLaunch launch(builder, lanes->Lanes(builder.lanes().lanes));
  launch.Input("in", input);
  launch.Output("out", output);
  AddLanes(launch, *lanes);
  launch.Body(is_log ? LogSoftmaxText(*lanes) : SoftmaxText(*lanes));
  // Vectors that overlap write twice what they have in common.
  if (lanes->is_rows() && output.format == input.format) {
    builder.AllowInPlace(output, input);
  }
  builder.AddLaunch(
      node, launch.Finish(
                KernelName(absl::StrCat(is_log ? "log_softmax_" : "softmax_",
                                        lanes->is_rows() ? "rows" : "columns"),
                           output.format.type)));
  return true;
}

}  // namespace dovetail::gpu
