#include "dovetail/backends/cpu/steps/normalization/table.h"

#include "dovetail/backends/cpu/steps/normalization/group_norm.h"
#include "dovetail/backends/cpu/steps/normalization/joined_channels.h"
#include "dovetail/backends/cpu/steps/normalization/l2_lrn.h"
#include "dovetail/backends/cpu/steps/normalization/rms_norm.h"
#include "dovetail/backends/cpu/steps/normalization/softmax.h"
#include "dovetail/backends/cpu/steps/normalization/variance.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> NormalizationEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Concat", &EmitJoinedChannels},
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

}  // namespace dovetail::cpu
