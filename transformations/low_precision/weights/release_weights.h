// Lets constant folding have the weights that stay floats.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_RELEASE_WEIGHTS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_RELEASE_WEIGHTS_H_

#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Takes the marks of KeepWeights away again, but from the conversions of i8
// weights of integer linear operations and of compressed weights
// (keep_compressed.h). To be run behind IntegerLinear.
class ReleaseWeights : public Pass {
 public:
  absl::string_view name() const override { return "release-weights"; }
  // False, as marks are no change of what the model says.
  absl::StatusOr<bool> Run(Model& model) override;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_RELEASE_WEIGHTS_H_
