#include "dovetail/backends/gpu/steps/indexing/eye.h"

#include <utility>

#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {

absl::StatusOr<bool> EmitEye(const Node& node, PlanBuilder& builder) {
  const ElementType type = node.port().type;
  const ElementType index = node.input(2).type();
  if (!HasClType(type) || !IsIndexType(index) ||
      (IsFloat(type) && type != ElementType::kF32)) {
    return false;
  }
  const Value output = PlanBuilder::OutputOf(node);
  const Shape shape = PlanBuilder::ShapeOf(output);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand diagonal,
                            builder.ReadPlain(node.input(2)));
  Launch launch;
  AddInput(launch, "diagonal", ClType(index), diagonal);
  AddOutput(launch, "out", ClType(type), builder.WritePlain(output));
  AddInt(launch, "rows", shape[shape.rank() - 2]);
  AddInt(launch, "columns", shape[shape.rank() - 1]);
  AddItems(launch, builder, shape.Count());
  launch.writer.Body(
      "out[i] = (long)(i % columns) - i / columns % rows == diagonal[0];\n");
  launch.kernel = KernelName("eye", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
