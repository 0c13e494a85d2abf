// Quantizes channels before they are concatenated, each by its own range.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_QUANTIZE_BEFORE_CONCAT_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_QUANTIZE_BEFORE_CONCAT_H_

#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Integers(FakeQuantize(Concat(a, b))) = Concat(Integers(FakeQuantize(a)),
// Integers(FakeQuantize(b))) along axis 1, where each channel may have a range
// of its own, as in front of depthwise convolutions: each source takes the
// ranges of its channels, and integers are concatenated in place of floats.
// MoveQuantization does so for a range that all channels share, and knows more
// movements; ranges of channels do not flow through a Concat as quantization
// parameters, so this comes when QuantizeActivations has made integers. Only
// where nobody else reads what is concatenated, and all of it is computed as
// floats.
class QuantizeBeforeConcat : public Pass {
 public:
  absl::string_view name() const override { return "quantize-before-concat"; }
  absl::StatusOr<bool> Run(Model& model) override;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_QUANTIZE_BEFORE_CONCAT_H_
