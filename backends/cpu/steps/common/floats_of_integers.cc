#include "dovetail/backends/cpu/steps/common/floats_of_integers.h"

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "dovetail/backends/cpu/onednn/zero_point.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

absl::Status AddReorder(const Node& node, Value value, const Operand& from,
                        int32_t zero_point, PlanBuilder& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(const PrimitiveOperand zero,
                            AddZeroPoint(zero_point, builder));
  const Format format = {ElementType::kF32, from.format.layout};
  const auto source = Describe(from.shape, from.format);
  const auto target = Describe(from.shape, format);
  dnnl::primitive_attr attr = ScratchpadAttr();
  attr.set_zero_points_mask(DNNL_ARG_SRC, 0);
  const dnnl::reorder::primitive_desc desc(CpuEngine(), source, CpuEngine(),
                                           target, attr);
  AddPrimitive(node, builder, desc, {{DNNL_ARG_FROM, source, from}, zero},
               {{DNNL_ARG_TO, target, builder.Write(value, format)}});
  return absl::OkStatus();
}

}  // namespace

absl::Status EmitFloatsOfIntegers(const Node& linear,
                                  const IntegerOperands& operands,
                                  PlanBuilder& builder) {
  const Value value = linear.input(0);
  if (builder.IsReady(value)) return absl::OkStatus();
  builder.SetDone(*value.node);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand from, builder.Read(operands.data));
  if (operands.zero_point == 0) {
    builder.View(value, from, 0, from.format);
    return absl::OkStatus();
  }
  return GuardedCall("floats of integers", [&] {
    return AddReorder(linear, value, from, operands.zero_point, builder);
  });
}

}  // namespace dovetail::cpu
