// Keeps weights of few bits as they are in the model, for devices that multiply
// with them.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_KEEP_COMPRESSED_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_KEEP_COMPRESSED_H_

#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Marks conversions of compressed weights (compressed_weights.h) that only
// products of matrices read, as KeepWeights does with all weights of few bits.
// To be run before the first constant folding.
class KeepCompressed : public Pass {
 public:
  absl::string_view name() const override { return "keep-compressed"; }
  // False, as marks are no change of what the model says.
  absl::StatusOr<bool> Run(Model& model) override;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_KEEP_COMPRESSED_H_
