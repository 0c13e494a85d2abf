#include "dovetail/backends/gpu/steps/attention/table.h"

#include "dovetail/backends/gpu/steps/attention/attention.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> AttentionEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"ScaledDotProductAttention", &EmitAttention},
      {"Broadcast", &EmitViewForAttention},
      {"Gather", &EmitViewForAttention},
      {"Split", &EmitViewForAttention},
      {"Transpose", &EmitViewForAttention},
      {"VariadicSplit", &EmitViewForAttention},
      // Views, which cost nothing, but for what they are views of.
      {"Reshape", &EmitViewForAttention},
      {"Squeeze", &EmitViewForAttention},
      {"Unsqueeze", &EmitViewForAttention},
  };
  return kRows;
}

}  // namespace dovetail::gpu
