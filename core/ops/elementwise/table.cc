#include "dovetail/core/ops/elementwise/table.h"

#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/ops/elementwise/convert.h"
#include "dovetail/core/ops/elementwise/select.h"
#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

// An operation with one output, in opset `since` and all after it.
constexpr OpInfo Row(absl::string_view type, int version, int since,
                     int inputs, MakeAttributesFn make, InferFn infer,
                     OpTypes types, uint32_t traits = kNoTraits) {
  return {type,   version, type,  OpsetRange::Since(since), {inputs, inputs},
          {1, 1}, make,    infer, types, traits};
}

constexpr OpInfo Unary(absl::string_view type, int version, int since,
                       InferFn infer, OpTypes types) {
  return Row(type, version, since, 1, &MakeAttributes<NoAttributes>, infer,
             types);
}

constexpr OpInfo Binary(absl::string_view type, int version, int since,
                        InferFn infer, OpTypes types,
                        uint32_t traits = kNoTraits) {
  return Row(type, version, since, 2, &MakeAttributes<BinaryAttributes>,
             infer, types, traits);
}

constexpr OpInfo kOps[] = {
    // Functions of one variable.
    Unary("Abs", 0, 1, &InferAbs, kAnyNumeric),
    Unary("Acos", 0, 1, &InferUnary, kAnyNumeric),
    Unary("Acosh", 3, 4, &InferUnary, kAnyNumeric),
    Unary("Asin", 0, 1, &InferUnary, kAnyNumeric),
    Unary("Asinh", 3, 4, &InferUnary, kAnyNumeric),
    Unary("Atan", 0, 1, &InferUnary, kAnyNumeric),
    Unary("Atanh", 3, 4, &InferUnary, kAnyNumeric),
    Unary("Ceiling", 0, 1, &InferCeiling, kAnyNumeric),
    Unary("Cos", 0, 1, &InferUnary, kAnyNumeric),
    Unary("Cosh", 0, 1, &InferUnary, kAnyNumeric),
    Unary("Erf", 0, 1, &InferUnary, kAnyNumeric),
    Unary("ErfInv", 17, 17, &InferUnary, kAnyFloat),
    Unary("Exp", 0, 1, &InferUnary, kAnyNumeric),
    Unary("Floor", 0, 1, &InferFloor, kAnyNumeric),
    Unary("Log", 0, 1, &InferUnary, kAnyNumeric),
    Unary("Negative", 0, 1, &InferNegative, kAnyNumeric),
    Unary("Sign", 0, 1, &InferSign, kAnyNumeric),
    Unary("Sin", 0, 1, &InferUnary, kAnyNumeric),
    Unary("Sinh", 0, 1, &InferUnary, kAnyNumeric),
    Unary("Sqrt", 0, 1, &InferSqrt, kAnyNumeric),
    Unary("Tan", 0, 1, &InferUnary, kAnyNumeric),
    Row("Round", 5, 5, 1, &MakeAttributes<RoundAttributes>, &InferRound,
        kAnyNumericOrBoolean),
    Row("Clamp", 0, 1, 1, &MakeAttributes<ClampAttributes>, &InferClamp,
        kAnyNumeric),
    // Tests.
    Unary("IsFinite", 10, 10, &InferFloatTest, kAnyFloat),
    Row("IsInf", 10, 10, 1, &MakeAttributes<IsInfAttributes>, &InferFloatTest,
        kAnyFloat),
    Unary("IsNaN", 10, 10, &InferFloatTest, kAnyFloat),
    // Arithmetic.
    Binary("Add", 1, 1, &InferAdd, kAnyNumeric, kCommutative),
    Row("Divide", 1, 1, 2, &MakeAttributes<DivideAttributes>, &InferDivide,
        kAnyNumeric),
    Binary("FloorMod", 1, 1, &InferFloorMod, kAnyNumeric),
    Binary("Maximum", 1, 1, &InferMaximum, kAnyNumeric, kCommutative),
    Binary("Minimum", 1, 1, &InferMinimum, kAnyNumeric, kCommutative),
    Binary("Mod", 1, 1, &InferMod, kAnyNumeric),
    Binary("Multiply", 1, 1, &InferMultiply, kAnyNumeric, kCommutative),
    Binary("Power", 1, 1, &InferPower, kAnyNumeric),
    Binary("SquaredDifference", 0, 1, &InferSquaredDifference, kAnyNumeric),
    Binary("Subtract", 1, 1, &InferSubtract, kAnyNumeric),
    // Comparisons.
    Binary("Equal", 1, 1, &InferEqual, kAnyNumericOrBoolean, kCommutative),
    Binary("Greater", 1, 1, &InferGreater, kAnyNumericOrBoolean),
    Binary("GreaterEqual", 1, 1, &InferGreaterEqual, kAnyNumericOrBoolean),
    Binary("Less", 1, 1, &InferLess, kAnyNumericOrBoolean),
    Binary("LessEqual", 1, 1, &InferLessEqual, kAnyNumericOrBoolean),
    Binary("NotEqual", 1, 1, &InferNotEqual, kAnyNumericOrBoolean,
           kCommutative),
    // Logic. Xor is LogicalXor under its name of opset1.
    Binary("LogicalAnd", 1, 1, &InferLogicalAnd, kBooleanType, kCommutative),
    Unary("LogicalNot", 1, 1, &InferLogicalNot, kAnyNumericOrBoolean),
    Binary("LogicalOr", 1, 1, &InferLogicalOr, kBooleanType, kCommutative),
    Binary("LogicalXor", 1, 1, &InferLogicalXor, kBooleanType, kCommutative),
    {"Xor", 0, "Xor", OpsetRange::Between(1, 1), {2, 2}, {1, 1},
     &MakeAttributes<BinaryAttributes>, &InferLogicalXor, kBooleanType,
     kCommutative},
    // Bits.
    Binary("BitwiseAnd", 13, 13, &InferArithmetic, kAnyInteger | kBooleanType,
           kCommutative),
    Binary("BitwiseLeftShift", 15, 15, &InferArithmetic, kAnyInteger),
    Unary("BitwiseNot", 13, 13, &InferUnary, kAnyInteger | kBooleanType),
    Binary("BitwiseOr", 13, 13, &InferArithmetic, kAnyInteger | kBooleanType,
           kCommutative),
    Binary("BitwiseRightShift", 15, 15, &InferArithmetic, kAnyInteger),
    Binary("BitwiseXor", 13, 13, &InferArithmetic, kAnyInteger | kBooleanType,
           kCommutative),
    // Choice and conversion.
    Row("Select", 1, 1, 3, &MakeAttributes<BinaryAttributes>, &InferSelect,
        {kAllTypes, 1}),
    Row("Convert", 0, 1, 1, &MakeAttributes<ConvertAttributes>, &InferConvert,
        kAnyNumericOrBoolean),
    Row("ConvertLike", 1, 1, 2, &MakeAttributes<NoAttributes>,
        &InferConvertLike, kAnyNumericOrBoolean),
    {"ConvertPromoteTypes", 14, "ConvertPromoteTypes", OpsetRange::Since(14),
     {2, 2}, {2, 2}, &MakeAttributes<ConvertPromoteTypesAttributes>,
     &InferConvertPromoteTypes,
     kAnyNumericOrBoolean - ElementTypeSet{ElementType::kNf4}},
};

}  // namespace

absl::Span<const OpInfo> ElementwiseOps() { return kOps; }

}  // namespace dovetail
