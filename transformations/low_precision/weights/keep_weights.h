// Keeps constant folding from making floats of weights that are stored as
// integers.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_KEEP_WEIGHTS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_KEEP_WEIGHTS_H_

#include "dovetail/core/graph/node.h"
#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Marks what makes floats of integers of at most 8 bits, or rounds constants
// (FakeQuantize), on the way to the weights of linear operations: in rt_info,
// as {"DisableConstantFolding_0": {"value": "weights"}}, which constant folding
// respects. To be run before the first constant folding; see release_weights.h.
class KeepWeights : public Pass {
 public:
  absl::string_view name() const override { return "keep-weights"; }
  // False, as marks are no change of what the model says.
  absl::StatusOr<bool> Run(Model& model) override;
};

void MarkAsKept(Node& node);
// Whether the mark is there, and no other that the model has from elsewhere.
bool IsMarkedAsKept(const Node& node);
// Takes the mark away.
void Unmark(Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_KEEP_WEIGHTS_H_
