#include "dovetail/backends/cpu/steps/pooling/table.h"

#include "dovetail/backends/cpu/steps/pooling/pooling.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> PoolingEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"AdaptiveAvgPool", &EmitAdaptiveAvgPool},
      {"AdaptiveMaxPool", &EmitAdaptiveMaxPool},
      {"AvgPool", &EmitAvgPool},
      {"MaxPool", &EmitMaxPool},
  };
  return kRows;
}

}  // namespace dovetail::cpu
