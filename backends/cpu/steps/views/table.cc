#include "dovetail/backends/cpu/steps/views/table.h"

#include "dovetail/backends/cpu/steps/views/reshape.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> ViewEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Reshape", &EmitReshape},
      {"Squeeze", &EmitReshape},
      {"Unsqueeze", &EmitReshape},
  };
  return kRows;
}

}  // namespace dovetail::cpu
