// Brings weights of 8 bits into one form.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_QUANTIZE_WEIGHTS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_QUANTIZE_WEIGHTS_H_

#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/low_precision/analysis/integer_flow.h"

namespace dovetail {

// The weights of linear operations whose data can be integers become
// Multiply(Convert(Constant i8), scale), of the shape that the operation takes,
// the scale a scalar or one for each output channel. What they are made of:
// FakeQuantize of a constant, which is folded by its reference kernel, and
// integers that are converted, shifted and scaled, perhaps reshaped. The
// conversion is marked as one to keep (keep_weights.h). Weights of other forms,
// with zero points that i8 can't do without or scales within a channel stay.
class QuantizeWeights : public Pass {
 public:
  explicit QuantizeWeights(const LowPrecisionOptions& options = {})
      : options_(options) {}

  absl::string_view name() const override { return "quantize-weights"; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  LowPrecisionOptions options_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_QUANTIZE_WEIGHTS_H_
