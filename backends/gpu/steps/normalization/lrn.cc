#include "dovetail/backends/gpu/steps/normalization/lrn.h"

#include <algorithm>

#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/lanes/lane_launch.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/axes.h"
#include "dovetail/core/ops/normalization/lrn.h"

namespace dovetail::gpu {
namespace {

// An item has a vector of elements with one place along the axis.
void AddLrn(const Node& node, const LrnAttributes& lrn, const Shape& shape,
            int axis, const Operand& input, const Operand& output,
            PlanBuilder& builder) {
  const int64_t inner = shape.Count(axis + 1, shape.rank());
  const int lanes = inner >= builder.lanes().lanes ? builder.lanes().lanes : 1;
  const int64_t blocks = CeilDivide(inner, int64_t{lanes});
  LaneLaunch launch(builder, lanes);
  launch.Input("x", input);
  launch.Output("y", output);
  launch.Int("blocks", blocks);
  launch.Int("extent", shape[axis]);
  launch.Int("inner", inner);
  // An even size reaches as far as the odd one below it.
  launch.Int("reach", std::min((lrn.size - 1) / 2, shape[axis]));
  launch.Float("factor", lrn.alpha / static_cast<double>(lrn.size));
  launch.Float("bias", lrn.bias);
  launch.Float("power", -lrn.beta);
  launch.Items(shape.Count(0, axis + 1) * blocks, /*heavy=*/false);
  launch.Body(
      "const int q = item / blocks, place = q % extent;\n"
      "const int at = q * inner + min(item % blocks * $L, inner - $L);\n"
      "const int last = min(place + reach, extent - 1);\n"
      "$V sum = 0;\n"
      "for (int k = max(place - reach, 0); k <= last; ++k) {\n"
      "  const $V near = $LOAD(x + at + (k - place) * inner);\n"
      "  sum += near * near;\n"
      "}\n"
      "$STORE($LOAD(x + at) * pow(bias + factor * sum, ($V)power), y + at);\n");
  builder.AddLaunch(node, launch.Finish(KernelName("lrn", output.format.type)));
}

}  // namespace

absl::StatusOr<bool> EmitLrn(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<LrnAttributes>();
  const Value data = node.input(0);
  const Shape shape = PlanBuilder::ShapeOf(data);
  const Tensor* axes = PlanBuilder::ConstantOf(node.input(1));
  if (attributes == nullptr || axes == nullptr ||
      data.type() != ElementType::kF32) {
    return false;
  }
  const std::vector<bool> flags = AxisFlags(ToInt64Vector(*axes), shape.rank());
  if (std::count(flags.begin(), flags.end(), true) != 1) return false;
  const auto axis = std::find(flags.begin(), flags.end(), true) - flags.begin();
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                            builder.Read(data, builder.StoredFormat(data)));
  const Value result = PlanBuilder::OutputOf(node);
  AddLrn(node, *attributes, shape, static_cast<int>(axis), input,
         builder.Write(result, builder.StorageFormat(result)), builder);
  return true;
}

}  // namespace dovetail::gpu
