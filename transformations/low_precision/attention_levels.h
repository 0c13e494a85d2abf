// Quantized queries and keys of attention as whole numbers.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ATTENTION_LEVELS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ATTENTION_LEVELS_H_

#include "dovetail/core/pass/pass.h"

namespace dovetail {

// A FakeQuantize of at most 256 levels with one scale and a zero point, which
// ScaledDotProductAttention alone reads as its query or key, perhaps moved,
// gives numbers of levels less the zero point, -255 to 255, and the attention's
// scale takes the rest: what is multiplied is exact in bf16 then, and in f32 as
// before but for roundings.
class AttentionLevels : public Pass {
 public:
  absl::string_view name() const override { return "attention-levels"; }
  absl::StatusOr<bool> Run(Model& model) override;
};

// Whether a FakeQuantize gives such numbers.
bool GivesWholeLevels(const Node& fake_quantize);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ATTENTION_LEVELS_H_
