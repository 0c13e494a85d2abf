#include "dovetail/backends/gpu/steps/normalization/table.h"

#include "dovetail/backends/gpu/steps/normalization/lrn.h"
#include "dovetail/backends/gpu/steps/normalization/softmax.h"
#include "dovetail/backends/gpu/steps/normalization/variance.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> NormalizationEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"GroupNormalization", &EmitGroupNormalization},
      {"LRN", &EmitLrn},
      {"LogSoftmax", &EmitSoftmax},
      {"MVN", &EmitMvn},
      {"Multiply", &EmitRmsNorm},
      {"NormalizeL2", &EmitNormalizeL2},
      {"Power", &EmitRmsNorm},
      {"Softmax", &EmitSoftmax},
  };
  return kRows;
}

}  // namespace dovetail::gpu
