#include "dovetail/core/ops/elementwise/binary.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/value_math.h"

namespace dovetail {
namespace {

using CheckFn = absl::Status (*)(const InferContext&, int);

absl::Status RequireNumericOrBoolean(const InferContext& context, int input) {
  if (context.type(input) == ElementType::kBoolean) return absl::OkStatus();
  return RequireNumeric(context, input);
}

absl::Status RequireIntegerOrBoolean(const InferContext& context, int input) {
  if (context.type(input) == ElementType::kBoolean) return absl::OkStatus();
  return RequireInteger(context, input);
}

// Sets output 0 of an operation on two inputs of one type; `output_type` is
// kDynamic for theirs.
absl::Status InferBroadcast(InferContext& context, AutoBroadcast mode,
                            CheckFn check, ElementType output_type) {
  DOVETAIL_RETURN_IF_ERROR(check(context, 0));
  DOVETAIL_RETURN_IF_ERROR(check(context, 1));
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, 0, 1));
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape,
                            BroadcastInputs(context, mode, 0, 1));
  context.SetOutput(
      0, output_type == ElementType::kDynamic ? type : output_type,
      std::move(shape));
  return absl::OkStatus();
}

AutoBroadcast ModeOf(const InferContext& context) {
  return context.attributes<BinaryAttributes>().auto_broadcast;
}

absl::Status InferWithValues(InferContext& context, CheckFn check,
                             ElementType output_type, BinaryIntervalFn f) {
  const AutoBroadcast mode = ModeOf(context);
  DOVETAIL_RETURN_IF_ERROR(InferBroadcast(context, mode, check, output_type));
  PropagateBinary(context, mode, f);
  return absl::OkStatus();
}

absl::Status InferNumbers(InferContext& context, BinaryIntervalFn f) {
  return InferWithValues(context, &RequireNumeric, ElementType::kDynamic, f);
}

absl::Status InferComparison(InferContext& context, BinaryIntervalFn f) {
  return InferWithValues(context, &RequireNumericOrBoolean,
                         ElementType::kBoolean, f);
}

absl::Status InferLogic(InferContext& context, BinaryIntervalFn f) {
  return InferWithValues(context, &RequireBoolean, ElementType::kBoolean, f);
}

}  // namespace

absl::Status InferAdd(InferContext& context) {
  return InferNumbers(context, &AddIntervals);
}

absl::Status InferSubtract(InferContext& context) {
  return InferNumbers(context, &SubtractIntervals);
}

absl::Status InferMultiply(InferContext& context) {
  return InferNumbers(context, &MultiplyIntervals);
}

absl::Status InferDivide(InferContext& context) {
  const auto& attributes = context.attributes<DivideAttributes>();
  DOVETAIL_RETURN_IF_ERROR(InferBroadcast(context, attributes.auto_broadcast,
                                          &RequireNumeric,
                                          ElementType::kDynamic));
  BinaryIntervalFn f = &DivideIntervals;
  if (IsInteger(context.outputs()[0].type)) {
    f = attributes.m_pythondiv ? &FloorDivideIntervals
                               : &TruncateDivideIntervals;
  }
  PropagateBinary(context, attributes.auto_broadcast, f);
  return absl::OkStatus();
}

absl::Status InferMod(InferContext& context) {
  return InferNumbers(context, &ModIntervals);
}

absl::Status InferFloorMod(InferContext& context) {
  return InferNumbers(context, &FloorModIntervals);
}

absl::Status InferMaximum(InferContext& context) {
  return InferNumbers(context, &MaximumIntervals);
}

absl::Status InferMinimum(InferContext& context) {
  return InferNumbers(context, &MinimumIntervals);
}

absl::Status InferArithmetic(InferContext& context) {
  return InferBroadcast(context, ModeOf(context), &RequireNumeric,
                        ElementType::kDynamic);
}

absl::Status InferEqual(InferContext& context) {
  return InferComparison(context, &EqualIntervals);
}

absl::Status InferNotEqual(InferContext& context) {
  return InferComparison(context, &NotEqualIntervals);
}

absl::Status InferLess(InferContext& context) {
  return InferComparison(context, &LessIntervals);
}

absl::Status InferLessEqual(InferContext& context) {
  return InferComparison(context, &LessEqualIntervals);
}

absl::Status InferGreater(InferContext& context) {
  return InferComparison(context, &GreaterIntervals);
}

absl::Status InferGreaterEqual(InferContext& context) {
  return InferComparison(context, &GreaterEqualIntervals);
}

absl::Status InferLogicalAnd(InferContext& context) {
  return InferLogic(context, &AndIntervals);
}

absl::Status InferLogicalOr(InferContext& context) {
  return InferLogic(context, &OrIntervals);
}

absl::Status InferLogicalXor(InferContext& context) {
  return InferLogic(context, &XorIntervals);
}

absl::Status InferBitwise(InferContext& context) {
  return InferBroadcast(context, ModeOf(context), &RequireIntegerOrBoolean,
                        ElementType::kDynamic);
}

absl::Status InferShift(InferContext& context) {
  return InferBroadcast(context, ModeOf(context), &RequireInteger,
                        ElementType::kDynamic);
}

}  // namespace dovetail
