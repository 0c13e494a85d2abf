#include "dovetail/core/ops/elementwise/table.h"

#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/ops/elementwise/convert.h"
#include "dovetail/core/ops/elementwise/select.h"
#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

// An operation with one output, in opset `since` and all after it.
constexpr OpInfo Row(absl::string_view type, int version, int since,
                     int inputs, MakeAttributesFn make, InferFn infer) {
  return {type,   version, type, OpsetRange::Since(since), {inputs, inputs},
          {1, 1}, make,    infer};
}

constexpr OpInfo Unary(absl::string_view type, int version, int since,
                       InferFn infer) {
  return Row(type, version, since, 1, &MakeAttributes<NoAttributes>, infer);
}

constexpr OpInfo Binary(absl::string_view type, int version, int since,
                        InferFn infer) {
  return Row(type, version, since, 2, &MakeAttributes<BinaryAttributes>,
             infer);
}

constexpr OpInfo kOps[] = {
    // Functions of one variable.
    Unary("Abs", 0, 1, &InferAbs),
    Unary("Acos", 0, 1, &InferUnary),
    Unary("Acosh", 3, 4, &InferUnary),
    Unary("Asin", 0, 1, &InferUnary),
    Unary("Asinh", 3, 4, &InferUnary),
    Unary("Atan", 0, 1, &InferUnary),
    Unary("Atanh", 3, 4, &InferUnary),
    Unary("Ceiling", 0, 1, &InferCeiling),
    Unary("Cos", 0, 1, &InferUnary),
    Unary("Cosh", 0, 1, &InferUnary),
    Unary("Erf", 0, 1, &InferUnary),
    Unary("ErfInv", 17, 17, &InferUnaryFloat),
    Unary("Exp", 0, 1, &InferUnary),
    Unary("Floor", 0, 1, &InferFloor),
    Unary("Log", 0, 1, &InferUnary),
    Unary("Negative", 0, 1, &InferNegative),
    Unary("Sign", 0, 1, &InferSign),
    Unary("Sin", 0, 1, &InferUnary),
    Unary("Sinh", 0, 1, &InferUnary),
    Unary("Sqrt", 0, 1, &InferSqrt),
    Unary("Tan", 0, 1, &InferUnary),
    Row("Round", 5, 5, 1, &MakeAttributes<RoundAttributes>, &InferRound),
    Row("Clamp", 0, 1, 1, &MakeAttributes<ClampAttributes>, &InferClamp),
    // Tests.
    Unary("IsFinite", 10, 10, &InferFloatTest),
    Row("IsInf", 10, 10, 1, &MakeAttributes<IsInfAttributes>,
        &InferFloatTest),
    Unary("IsNaN", 10, 10, &InferFloatTest),
    // Arithmetic.
    Binary("Add", 1, 1, &InferAdd),
    Row("Divide", 1, 1, 2, &MakeAttributes<DivideAttributes>, &InferDivide),
    Binary("FloorMod", 1, 1, &InferFloorMod),
    Binary("Maximum", 1, 1, &InferMaximum),
    Binary("Minimum", 1, 1, &InferMinimum),
    Binary("Mod", 1, 1, &InferMod),
    Binary("Multiply", 1, 1, &InferMultiply),
    Binary("Power", 1, 1, &InferArithmetic),
    Binary("SquaredDifference", 0, 1, &InferArithmetic),
    Binary("Subtract", 1, 1, &InferSubtract),
    // Comparisons.
    Binary("Equal", 1, 1, &InferEqual),
    Binary("Greater", 1, 1, &InferGreater),
    Binary("GreaterEqual", 1, 1, &InferGreaterEqual),
    Binary("Less", 1, 1, &InferLess),
    Binary("LessEqual", 1, 1, &InferLessEqual),
    Binary("NotEqual", 1, 1, &InferNotEqual),
    // Logic. Xor is LogicalXor under its name of opset1.
    Binary("LogicalAnd", 1, 1, &InferLogicalAnd),
    Unary("LogicalNot", 1, 1, &InferLogicalNot),
    Binary("LogicalOr", 1, 1, &InferLogicalOr),
    Binary("LogicalXor", 1, 1, &InferLogicalXor),
    {"Xor", 0, "Xor", OpsetRange::Between(1, 1), {2, 2}, {1, 1},
     &MakeAttributes<BinaryAttributes>, &InferLogicalXor},
    // Bits.
    Binary("BitwiseAnd", 13, 13, &InferBitwise),
    Binary("BitwiseLeftShift", 15, 15, &InferShift),
    Unary("BitwiseNot", 13, 13, &InferBitwiseNot),
    Binary("BitwiseOr", 13, 13, &InferBitwise),
    Binary("BitwiseRightShift", 15, 15, &InferShift),
    Binary("BitwiseXor", 13, 13, &InferBitwise),
    // Choice and conversion.
    Row("Select", 1, 1, 3, &MakeAttributes<BinaryAttributes>, &InferSelect),
    Row("Convert", 0, 1, 1, &MakeAttributes<ConvertAttributes>,
        &InferConvert),
    Row("ConvertLike", 1, 1, 2, &MakeAttributes<NoAttributes>,
        &InferConvertLike),
    {"ConvertPromoteTypes", 14, "ConvertPromoteTypes", OpsetRange::Since(14),
     {2, 2}, {2, 2}, &MakeAttributes<ConvertPromoteTypesAttributes>,
     &InferConvertPromoteTypes},
};

}  // namespace

absl::Span<const OpInfo> ElementwiseOps() { return kOps; }

}  // namespace dovetail
