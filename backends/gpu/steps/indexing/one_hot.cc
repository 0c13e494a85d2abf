#include "dovetail/backends/gpu/steps/indexing/one_hot.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/ordering/one_hot.h"

namespace dovetail::gpu {

absl::StatusOr<bool> EmitOneHot(const Node& node, PlanBuilder& builder) {
  const ElementType type = node.port().type, list = node.input(0).type();
  if (!IsCopied(type) || !IsIndexType(list)) return false;
  const Shape shape = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(OneHotAxis(node), shape.rank()));
  const auto* attributes = node.As<OneHot16Attributes>();
  const bool from_end =
      attributes != nullptr &&
      attributes->negative_indices_mode == NegativeIndices::kNormalize;
  Launch launch;
  const char* const names[] = {"indices", "", "on", "off"};
  for (const int i : {0, 2, 3}) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                              builder.ReadPlain(node.input(i)));
    AddInput(launch, names[i], i == 0 ? ClType(list) : ClMoved(type), operand);
  }
  AddOutput(launch, "target", ClMoved(type),
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  AddInt(launch, "depth", shape[axis]);
  AddInt(launch, "inner", shape.Count(axis + 1, shape.rank()));
  AddItems(launch, builder, shape.Count());
  launch.writer.Body(absl::StrCat(
      "long index = indices[i / inner / depth * inner + i % inner];\n",
      from_end ? "if (index < 0) index += depth;\n" : "",
      "target[i] = index == i / inner % depth ? on[0] : off[0];\n"));
  launch.kernel = KernelName("one_hot", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
