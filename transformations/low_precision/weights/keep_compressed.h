// Keeps compressed weights as they are in the model, for devices that multiply
// with them.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_KEEP_COMPRESSED_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_KEEP_COMPRESSED_H_

#include <set>

#include "dovetail/core/graph/model.h"
#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Which weights of floats stay as they are, besides integers.
struct KeptFloats {
  bool half_floats = false;
  bool code_books = false;  // IsCodeBook
};

// Conversions of compressed weights (compressed_weights.h), of integers and
// what `floats` says, that only matrix multiplications read.
std::set<Node*> CompressedConversions(const Model& model, KeptFloats floats);

// Marks these conversions, as KeepWeights does with all compressed weights. To
// be run before the first constant folding.
class KeepCompressed : public Pass {
 public:
  KeepCompressed() = default;
  explicit KeepCompressed(KeptFloats floats) : floats_(floats) {}

  absl::string_view name() const override { return "keep-compressed"; }
  // False, as marks are no change of what the model says.
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  const KeptFloats floats_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_KEEP_COMPRESSED_H_
