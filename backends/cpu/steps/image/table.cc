#include "dovetail/backends/cpu/steps/image/table.h"

#include "dovetail/backends/cpu/steps/image/interpolate.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> ImageEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Interpolate", &EmitInterpolate},
  };
  return kRows;
}

}  // namespace dovetail::cpu
