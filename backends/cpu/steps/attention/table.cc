#include "dovetail/backends/cpu/steps/attention/table.h"

#include "dovetail/backends/cpu/steps/attention/attention.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> AttentionEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"ScaledDotProductAttention", &EmitAttention},
      {"Gather", &EmitViewForAttention},
      {"Reshape", &EmitViewForAttention},
      {"Split", &EmitViewForAttention},
      {"Squeeze", &EmitViewForAttention},
      {"Transpose", &EmitViewForAttention},
      {"Unsqueeze", &EmitViewForAttention},
      {"VariadicSplit", &EmitViewForAttention},
  };
  return kRows;
}

}  // namespace dovetail::cpu
