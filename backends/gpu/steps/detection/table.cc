#include "dovetail/backends/gpu/steps/detection/table.h"

#include "dovetail/backends/gpu/steps/detection/non_max_suppression.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> DetectionEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"NonMaxSuppression", &EmitNonMaxSuppression},
  };
  return kRows;
}

}  // namespace dovetail::gpu
