// Lets operations that only move numbers do so with integers.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_MOVE_DEQUANTIZATION_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_MOVE_DEQUANTIZATION_H_

#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/low_precision/analysis/integer_flow.h"

namespace dovetail {

// op(dequantization(q)) becomes dequantization(op(q)) for the operations of
// transparent.h, up to the linear operations that can compute with integers;
// where there is none, everything stays as it is. A Relu behind integers that
// stand for no negative numbers goes away.
class MoveDequantization : public Pass {
 public:
  explicit MoveDequantization(const LowPrecisionOptions& options = {})
      : options_(options) {}

  absl::string_view name() const override { return "move-dequantization"; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  LowPrecisionOptions options_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_MOVE_DEQUANTIZATION_H_
