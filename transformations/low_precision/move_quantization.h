// Quantizes values before they are moved and not afterwards.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_MOVE_QUANTIZATION_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_MOVE_QUANTIZATION_H_

#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/low_precision/analysis/integer_flow.h"

namespace dovetail {

// FakeQuantize(Concat(a, b)) = Concat(FakeQuantize(a), FakeQuantize(b)), and so
// with Transpose, Reshape, Squeeze and Unsqueeze, where all values have one
// range: what computes a and b can store integers then, and a fourth of the
// bytes is moved. Only where a linear operation could compute with the integers,
// nobody else reads what is moved, and the sources are computed as floats.
class MoveQuantization : public Pass {
 public:
  explicit MoveQuantization(const LowPrecisionOptions& options = {})
      : options_(options) {}

  absl::string_view name() const override { return "move-quantization"; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  LowPrecisionOptions options_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_MOVE_QUANTIZATION_H_
