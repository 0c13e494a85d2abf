#include "dovetail/backends/gpu/steps/reduction/table.h"

#include "dovetail/backends/gpu/steps/reduction/reduction.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> ReductionEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"ReduceL1", &EmitReduction},         {"ReduceL2", &EmitReduction},
      {"ReduceLogicalAnd", &EmitReduction}, {"ReduceLogicalOr", &EmitReduction},
      {"ReduceMax", &EmitReduction},        {"ReduceMean", &EmitReduction},
      {"ReduceMin", &EmitReduction},        {"ReduceProd", &EmitReduction},
      {"ReduceSum", &EmitReduction},
  };
  return kRows;
}

}  // namespace dovetail::gpu
