#include "dovetail/core/ops/elementwise/binary.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/value_math.h"

namespace dovetail {
namespace {

// Sets output 0 of an operation on two inputs of one type; `output_type` is
// kDynamic for theirs.
absl::Status InferBroadcast(InferContext& context, AutoBroadcast mode,
                            ElementType output_type) {
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

absl::Status InferWithValues(InferContext& context, ElementType output_type,
                             BinaryIntervalFn f) {
  const AutoBroadcast mode = ModeOf(context);
  DOVETAIL_RETURN_IF_ERROR(InferBroadcast(context, mode, output_type));
  PropagateBinary(context, mode, f);
  return absl::OkStatus();
}

absl::Status InferNumbers(InferContext& context, BinaryIntervalFn f) {
  return InferWithValues(context, ElementType::kDynamic, f);
}

absl::Status InferTest(InferContext& context, BinaryIntervalFn f) {
  return InferWithValues(context, ElementType::kBoolean, f);
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

absl::Status InferPower(InferContext& context) {
  return IsInteger(context.type(0)) ? InferNumbers(context, &PowerIntegers)
                                    : InferNumbers(context, &PowerIntervals);
}

absl::Status InferSquaredDifference(InferContext& context) {
  return InferNumbers(context, &SquaredDifferenceIntervals);
}

absl::Status InferDivide(InferContext& context) {
  const auto& attributes = context.attributes<DivideAttributes>();
  DOVETAIL_RETURN_IF_ERROR(InferBroadcast(context, attributes.auto_broadcast,
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
  return IsInteger(context.type(0)) ? InferNumbers(context, &ModIntegers)
                                    : InferNumbers(context, &ModIntervals);
}

absl::Status InferFloorMod(InferContext& context) {
  return IsInteger(context.type(0))
             ? InferNumbers(context, &FloorModIntegers)
             : InferNumbers(context, &FloorModIntervals);
}

absl::Status InferMaximum(InferContext& context) {
  return InferNumbers(context, &MaximumIntervals);
}

absl::Status InferMinimum(InferContext& context) {
  return InferNumbers(context, &MinimumIntervals);
}

absl::Status InferArithmetic(InferContext& context) {
  return InferBroadcast(context, ModeOf(context), ElementType::kDynamic);
}

absl::Status InferEqual(InferContext& context) {
  return InferTest(context, &EqualIntervals);
}

absl::Status InferNotEqual(InferContext& context) {
  return InferTest(context, &NotEqualIntervals);
}

absl::Status InferLess(InferContext& context) {
  return InferTest(context, &LessIntervals);
}

absl::Status InferLessEqual(InferContext& context) {
  return InferTest(context, &LessEqualIntervals);
}

absl::Status InferGreater(InferContext& context) {
  return InferTest(context, &GreaterIntervals);
}

absl::Status InferGreaterEqual(InferContext& context) {
  return InferTest(context, &GreaterEqualIntervals);
}

absl::Status InferLogicalAnd(InferContext& context) {
  return InferTest(context, &AndIntervals);
}

absl::Status InferLogicalOr(InferContext& context) {
  return InferTest(context, &OrIntervals);
}

absl::Status InferLogicalXor(InferContext& context) {
  return InferTest(context, &XorIntervals);
}

}  // namespace dovetail
