// Keeps compressed weights of convolutions as they are in the model, for devices
// that compute with them.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_KEEP_COMPRESSED_CONVOLUTIONS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_KEEP_COMPRESSED_CONVOLUTIONS_H_

#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Marks conversions of compressed weights (compressed_convolution.h) that
// nothing else reads, as KeepWeights does. Weights that are computed in another
// type than f32 are not kept, as they are rounded to it, nor are small ones,
// which are worth less than the scales that fusions find room for in them. To
// be run before the first constant folding.
class KeepCompressedConvolutions : public Pass {
 public:
  absl::string_view name() const override {
    return "keep-compressed-convolutions";
  }
  // False, as marks are no change of what the model says.
  absl::StatusOr<bool> Run(Model& model) override;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_KEEP_COMPRESSED_CONVOLUTIONS_H_
