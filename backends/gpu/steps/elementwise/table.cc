#include "dovetail/backends/gpu/steps/elementwise/table.h"

#include "dovetail/backends/gpu/steps/elementwise/elementwise.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> ElementwiseEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Abs", &EmitElementwise},
      {"Acos", &EmitElementwise},
      {"Acosh", &EmitElementwise},
      {"Add", &EmitElementwise},
      {"Asin", &EmitElementwise},
      {"Asinh", &EmitElementwise},
      {"Atan", &EmitElementwise},
      {"Atanh", &EmitElementwise},
      {"Ceiling", &EmitElementwise},
      {"Clamp", &EmitElementwise},
      {"Cos", &EmitElementwise},
      {"Cosh", &EmitElementwise},
      {"Divide", &EmitElementwise},
      {"Elu", &EmitElementwise},
      {"Equal", &EmitElementwise},
      {"Erf", &EmitElementwise},
      {"Exp", &EmitElementwise},
      {"Floor", &EmitElementwise},
      {"Gelu", &EmitElementwise},
      {"Greater", &EmitElementwise},
      {"GreaterEqual", &EmitElementwise},
      {"HSigmoid", &EmitElementwise},
      {"HSwish", &EmitElementwise},
      {"IsFinite", &EmitElementwise},
      {"IsNaN", &EmitElementwise},
      {"Less", &EmitElementwise},
      {"LessEqual", &EmitElementwise},
      {"Log", &EmitElementwise},
      {"LogicalAnd", &EmitElementwise},
      {"LogicalNot", &EmitElementwise},
      {"LogicalOr", &EmitElementwise},
      {"LogicalXor", &EmitElementwise},
      {"Maximum", &EmitElementwise},
      {"Minimum", &EmitElementwise},
      {"Mish", &EmitElementwise},
      {"Multiply", &EmitElementwise},
      {"Negative", &EmitElementwise},
      {"NotEqual", &EmitElementwise},
      {"Power", &EmitElementwise},
      {"Relu", &EmitElementwise},
      {"Round", &EmitElementwise},
      {"Select", &EmitElementwise},
      {"Sigmoid", &EmitElementwise},
      {"Sign", &EmitElementwise},
      {"Sin", &EmitElementwise},
      {"Sinh", &EmitElementwise},
      {"SoftPlus", &EmitElementwise},
      {"SoftSign", &EmitElementwise},
      {"Sqrt", &EmitElementwise},
      {"SquaredDifference", &EmitElementwise},
      {"Subtract", &EmitElementwise},
      {"Tan", &EmitElementwise},
      {"Tanh", &EmitElementwise},
  };
  return kRows;
}

}  // namespace dovetail::gpu
