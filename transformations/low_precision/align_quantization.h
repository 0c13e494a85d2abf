// Quantization parameters in common for values that are concatenated.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ALIGN_QUANTIZATION_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ALIGN_QUANTIZATION_H_

#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/low_precision/analysis/integer_flow.h"

namespace dovetail {

// A convolution takes integers of one scale only, but networks concatenate
// values of several. Where a linear operation could compute with the integers
// otherwise, inputs of Concat are requantized with the parameters of the widest
// range: those of finer scales lose precision, by at most half a step of the
// coarsest one. A FakeQuantize that nobody else reads is given the new
// parameters itself, so that nothing is rounded twice; else there is a second
// one behind the value. Does nothing unless the options say so.
class AlignQuantization : public Pass {
 public:
  explicit AlignQuantization(const LowPrecisionOptions& options = {})
      : options_(options) {}

  absl::string_view name() const override { return "align-quantization"; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  LowPrecisionOptions options_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ALIGN_QUANTIZATION_H_
