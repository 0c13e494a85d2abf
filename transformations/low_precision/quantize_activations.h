// Makes integers of values that are quantized.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_QUANTIZE_ACTIVATIONS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_QUANTIZE_ACTIVATIONS_H_

#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/low_precision/analysis/integer_flow.h"

namespace dovetail {

// FakeQuantize becomes
//
//   Multiply(Subtract(Convert(Convert(FakeQuantize', u8 | i8), f32),
//                     zero point), scale)
//
// where FakeQuantize' has the same levels and input range, and the integers as
// its output range. Only where a linear operation can compute with the
// integers; others stay as they are.
class QuantizeActivations : public Pass {
 public:
  explicit QuantizeActivations(const LowPrecisionOptions& options = {})
      : options_(options) {}

  absl::string_view name() const override { return "quantize-activations"; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  LowPrecisionOptions options_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_QUANTIZE_ACTIVATIONS_H_
