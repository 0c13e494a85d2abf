// The proof that a model can run for several requests at once.
#ifndef DOVETAIL_BACKENDS_BATCH_PROOF_BATCH_AXES_H_
#define DOVETAIL_BACKENDS_BATCH_PROOF_BATCH_AXES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::batch {

// The axes that the rows of a batch lie along, one for each input and output.
struct BatchAxes {
  std::vector<int> inputs, outputs;
};

// An input's axis is the one that its layout calls N, else the first. Copies of
// the model for twice and three times as much along it show where the rows lie
// in each layer; a rule for each operation, that none of them reads another.
// kUnimplemented names the node that stands against it, and why.
absl::StatusOr<BatchAxes> FindBatchAxes(const Model& model);

// A copy of `model` for `count` requests at once.
absl::StatusOr<std::unique_ptr<Model>> BatchOf(const Model& model,
                                               const std::vector<int>& axes,
                                               int64_t count);

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_PROOF_BATCH_AXES_H_
