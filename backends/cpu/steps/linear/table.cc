#include "dovetail/backends/cpu/steps/linear/table.h"

#include "dovetail/backends/cpu/steps/linear/matmul.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> LinearEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"MatMul", &EmitMatMul},
  };
  return kRows;
}

}  // namespace dovetail::cpu
