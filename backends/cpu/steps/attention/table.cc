#include "dovetail/backends/cpu/steps/attention/table.h"

#include "dovetail/backends/cpu/steps/attention/attention.h"
#include "dovetail/backends/cpu/steps/attention/rotary.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> AttentionEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"ScaledDotProductAttention", &EmitAttention},
      {"Broadcast", &EmitViewForAttention},
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

absl::Span<const EmitterRow> RotaryEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Add", &EmitRotary},
      {"Concat", &EmitPartOfRotary},
      {"Multiply", &EmitPartOfRotary},
      {"Negative", &EmitPartOfRotary},
      {"Slice", &EmitPartOfRotary},
  };
  return kRows;
}

}  // namespace dovetail::cpu
