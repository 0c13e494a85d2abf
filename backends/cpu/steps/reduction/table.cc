#include "dovetail/backends/cpu/steps/reduction/table.h"

#include "dovetail/backends/cpu/steps/reduction/reduction.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> ReductionEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"ReduceL1", &EmitReduction},  {"ReduceL2", &EmitReduction},
      {"ReduceMax", &EmitReduction}, {"ReduceMean", &EmitReduction},
      {"ReduceMin", &EmitReduction}, {"ReduceProd", &EmitReduction},
      {"ReduceSum", &EmitReduction},
  };
  return kRows;
}

}  // namespace dovetail::cpu
