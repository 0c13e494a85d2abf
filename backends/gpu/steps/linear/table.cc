#include "dovetail/backends/gpu/steps/linear/table.h"

#include "dovetail/backends/gpu/steps/linear/matmul.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> LinearEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"MatMul", &EmitMatMul},
      {"MatMul", &EmitGeneralMatMul},
  };
  return kRows;
}

}  // namespace dovetail::gpu
