#include "dovetail/backends/gpu/steps/pooling/table.h"

#include "dovetail/backends/gpu/steps/pooling/pooling.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> PoolingEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"AdaptiveAvgPool", &EmitAdaptivePool},
      {"AdaptiveMaxPool", &EmitAdaptivePool},
      {"AvgPool", &EmitAvgPool},
      {"MaxPool", &EmitMaxPool},
  };
  return kRows;
}

}  // namespace dovetail::gpu
