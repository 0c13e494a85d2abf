#include "dovetail/backends/cpu/steps/attention/table.h"

#include "dovetail/backends/cpu/steps/attention/attention.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> AttentionEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"ScaledDotProductAttention", &EmitAttention},
      {"Transpose", &EmitTransposeForAttention},
  };
  return kRows;
}

}  // namespace dovetail::cpu
