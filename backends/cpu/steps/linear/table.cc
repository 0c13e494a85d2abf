#include "dovetail/backends/cpu/steps/linear/table.h"

#include "dovetail/backends/cpu/steps/linear/matmul.h"
#include "dovetail/backends/cpu/steps/linear/skipped_weights.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> LinearEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"MatMul", &EmitMatMul},
      {"Convert", &EmitWeightExpression},
      {"Subtract", &EmitWeightExpression},
      {"Multiply", &EmitWeightExpression},
      {"Reshape", &EmitWeightExpression},
  };
  return kRows;
}

}  // namespace dovetail::cpu
