// Convolutions and matrix products of integers.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_INTEGER_LINEAR_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_INTEGER_LINEAR_H_

#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/low_precision/analysis/integer_flow.h"

namespace dovetail {

// A linear operation on a dequantization and on weights as QuantizeWeights
// leaves them becomes
//
//   Multiply(linear(Subtract(Convert(u8 | i8), zero point),
//                   Convert(Constant i8)),
//            scale)
//
// without Subtract where the zero point is 0, so that all that is computed
// before the scale are integers. The zero point is one, of the same integer
// type; a scalar, but in a convolution of each channel by itself. The scale is
// a scalar or [1, C, 1 …], or [N] of a matrix product's columns, [B, 1, N] of
// those of several matrices of weights. Where a zero
// point had to be rounded, what that shifts the output by is added behind it,
// or to the bias that is there. A matrix product of two dequantizations
// likewise, the second of i8 without a zero point. Operations that the options
// do not take stay.
class IntegerLinear : public Pass {
 public:
  explicit IntegerLinear(const LowPrecisionOptions& options = {})
      : options_(options) {}

  absl::string_view name() const override { return "integer-linear"; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  LowPrecisionOptions options_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_INTEGER_LINEAR_H_
