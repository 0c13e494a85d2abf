#include "dovetail/backends/cpu/kernels/elementwise/elementwise_op.h"

#include <cstddef>
#include <iterator>

namespace dovetail::cpu {
namespace {

struct OpInfo {
  const char* name;
  int operands;
  int parameters;
};

// In the order of the enumeration.
constexpr OpInfo kOps[] = {
    {"Add", 2, 0},
    {"Subtract", 2, 0},
    {"Multiply", 2, 0},
    {"Divide", 2, 0},
    {"Maximum", 2, 0},
    {"Minimum", 2, 0},
    {"Power", 2, 0},
    {"Mod", 2, 0},
    {"FloorMod", 2, 0},
    {"SquaredDifference", 2, 0},
    {"PRelu", 2, 0},
    {"Equal", 2, 0},
    {"NotEqual", 2, 0},
    {"Less", 2, 0},
    {"LessEqual", 2, 0},
    {"Greater", 2, 0},
    {"GreaterEqual", 2, 0},
    {"LogicalAnd", 2, 0},
    {"LogicalOr", 2, 0},
    {"LogicalXor", 2, 0},
    {"MultiplyAdd", 3, 0},
    {"Select", 3, 0},
    {"FakeQuantize", 5, 1},
    {"Copy", 1, 0},
    {"Abs", 1, 0},
    {"Negative", 1, 0},
    {"Sign", 1, 0},
    {"Floor", 1, 0},
    {"Ceiling", 1, 0},
    {"RoundHalfToEven", 1, 0},
    {"RoundHalfAwayFromZero", 1, 0},
    {"Truncate", 1, 0},
    {"Square", 1, 0},
    {"Cube", 1, 0},
    {"Sqrt", 1, 0},
    {"ReciprocalSqrt", 1, 0},
    {"Reciprocal", 1, 0},
    {"Relu", 1, 0},
    {"LogicalNot", 1, 0},
    {"IsNaN", 1, 0},
    {"IsFinite", 1, 0},
    {"Exp", 1, 0},
    {"Expm1", 1, 0},
    {"Log", 1, 0},
    {"Tanh", 1, 0},
    {"Sigmoid", 1, 0},
    {"Erf", 1, 0},
    {"GeluErf", 1, 0},
    {"GeluTanh", 1, 0},
    {"SoftPlus", 1, 0},
    {"Mish", 1, 0},
    {"HSwish", 1, 0},
    {"HSigmoid", 1, 0},
    {"SoftSign", 1, 0},
    {"Sin", 1, 0},
    {"Cos", 1, 0},
    {"Tan", 1, 0},
    {"Asin", 1, 0},
    {"Acos", 1, 0},
    {"Atan", 1, 0},
    {"Sinh", 1, 0},
    {"Cosh", 1, 0},
    {"Asinh", 1, 0},
    {"Acosh", 1, 0},
    {"Atanh", 1, 0},
    {"Clamp", 1, 2},
    {"LeakyRelu", 1, 1},
    {"Elu", 1, 1},
    {"Selu", 1, 2},
    {"Swish", 1, 1},
    {"HardSigmoid", 1, 2},
    {"IsInf", 1, 2},
};
static_assert(std::size(kOps) == static_cast<size_t>(ElementwiseOp::kCount));

OpInfo InfoOf(ElementwiseOp op) {
  return op < ElementwiseOp::kCount ? kOps[static_cast<size_t>(op)]
                                    : OpInfo{"no operation", 0, 0};
}

}  // namespace

int OperandCount(ElementwiseOp op) { return InfoOf(op).operands; }
int ParameterCount(ElementwiseOp op) { return InfoOf(op).parameters; }
absl::string_view ElementwiseOpName(ElementwiseOp op) {
  return InfoOf(op).name;
}

}  // namespace dovetail::cpu
