#include "dovetail/core/reference/elementwise/table.h"

#include "dovetail/core/reference/common/whole_bytes.h"
#include "dovetail/core/reference/elementwise/binary.h"
#include "dovetail/core/reference/elementwise/convert.h"
#include "dovetail/core/reference/elementwise/select.h"
#include "dovetail/core/reference/elementwise/unary.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"Abs", 0, &AbsKernel},
    {"Acos", 0, &AcosKernel},
    {"Acosh", 3, &AcoshKernel},
    {"Asin", 0, &AsinKernel},
    {"Asinh", 3, &AsinhKernel},
    {"Atan", 0, &AtanKernel},
    {"Atanh", 3, &AtanhKernel},
    {"Ceiling", 0, &CeilingKernel},
    {"Cos", 0, &CosKernel},
    {"Cosh", 0, &CoshKernel},
    {"Erf", 0, &ErfKernel},
    {"ErfInv", 17, &ErfInvKernel},
    {"Exp", 0, &ExpKernel},
    {"Floor", 0, &FloorKernel},
    {"Log", 0, &LogKernel},
    {"Negative", 0, &NegativeKernel},
    {"Sign", 0, &SignKernel},
    {"Sin", 0, &SinKernel},
    {"Sinh", 0, &SinhKernel},
    {"Sqrt", 0, &SqrtKernel},
    {"Tan", 0, &TanKernel},
    {"Round", 5, &RoundKernel},
    {"Clamp", 0, &ClampKernel},
    {"IsFinite", 10, &IsFiniteKernel},
    {"IsInf", 10, &IsInfKernel},
    {"IsNaN", 10, &IsNaNKernel},
    {"Add", 1, &AddKernel},
    {"Divide", 1, &DivideKernel},
    {"FloorMod", 1, &FloorModKernel},
    {"Maximum", 1, &MaximumKernel},
    {"Minimum", 1, &MinimumKernel},
    {"Mod", 1, &ModKernel},
    {"Multiply", 1, &MultiplyKernel},
    {"Power", 1, &PowerKernel},
    {"SquaredDifference", 0, &SquaredDifferenceKernel},
    {"Subtract", 1, &SubtractKernel},
    {"Equal", 1, &EqualKernel},
    {"Greater", 1, &GreaterKernel},
    {"GreaterEqual", 1, &GreaterEqualKernel},
    {"Less", 1, &LessKernel},
    {"LessEqual", 1, &LessEqualKernel},
    {"NotEqual", 1, &NotEqualKernel},
    {"LogicalAnd", 1, &LogicalAndKernel},
    {"LogicalNot", 1, &LogicalNotKernel},
    {"LogicalOr", 1, &LogicalOrKernel},
    {"LogicalXor", 1, &LogicalXorKernel},
    {"Xor", 0, &LogicalXorKernel},
    {"BitwiseAnd", 13, &BitwiseAndKernel},
    {"BitwiseLeftShift", 15, &BitwiseLeftShiftKernel},
    {"BitwiseNot", 13, &BitwiseNotKernel},
    {"BitwiseOr", 13, &BitwiseOrKernel},
    {"BitwiseRightShift", 15, &BitwiseRightShiftKernel},
    {"BitwiseXor", 13, &BitwiseXorKernel},
    {"Select", 1, &OnWholeBytes<&SelectKernel>},
    {"Convert", 0, &ConvertKernel},
    {"ConvertLike", 1, &ConvertLikeKernel},
    {"ConvertPromoteTypes", 14, &ConvertPromoteTypesKernel},
};

}  // namespace

absl::Span<const KernelRow> ElementwiseKernels() { return kKernels; }

}  // namespace dovetail
