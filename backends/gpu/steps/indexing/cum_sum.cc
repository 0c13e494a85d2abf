#include "dovetail/backends/gpu/steps/indexing/cum_sum.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/ordering/cum_sum.h"

namespace dovetail::gpu {
namespace {

// What is lost when `x` is added to `total` goes into the next sum, as long as
// all is finite.
constexpr char kAddFloat[] = R"(
  const float y = x - lost, with = total + y;
  lost = isfinite(with) ? (with - total) - y : 0;
)";

// A line of elements, from the first one that counts, `step` apart.
std::string LineText(const CumSumAttributes& attributes, ElementType type) {
  const bool is_float = IsFloat(type);
  const absl::string_view sum = is_float ? "float" : "ulong";
  return absl::StrCat(
      "int at = i / inner * extent * inner + i % inner;\n", sum,
      " total = 0;\n", is_float ? "float lost = 0;\n" : "",
      attributes.reverse ? "at += (extent - 1) * inner;\n" : "",
      "for (int j = 0; j < extent; ++j, at ", attributes.reverse ? "-" : "+",
      "= inner) {\n  const ", sum, " x = source[at];\n",
      is_float ? kAddFloat : "  const ulong with = total + x;\n",
      "  target[at] = (", ClType(type), ")",
      attributes.exclusive ? "total" : "with", ";\n  total = with;\n}\n");
}

}  // namespace

absl::StatusOr<bool> EmitCumSum(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<CumSumAttributes>();
  const ElementType type = node.port().type;
  const auto axes = ConstantList(node, 1);
  if (attributes == nullptr || !axes ||
      (type != ElementType::kF32 && !(IsInteger(type) && HasClType(type)))) {
    return false;
  }
  Shape shape = PlanBuilder::ShapeOf(node.input(0));
  if (shape.rank() == 0) shape.push_back(1);
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      NormalizeAxis(axes->empty() ? 0 : (*axes)[0], shape.rank()));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  Launch launch;
  AddInput(launch, "source", ClType(type), data);
  AddOutput(launch, "target", ClType(type),
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  AddInt(launch, "inner", shape.Count(axis + 1, shape.rank()));
  AddInt(launch, "extent", shape[axis]);
  AddItems(launch, builder, shape.Count() / shape[axis]);
  launch.writer.Body(LineText(*attributes, type));
  launch.kernel = KernelName("cum_sum", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
