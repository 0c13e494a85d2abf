// Says operations in terms of simpler ones, so that a device needs kernels for
// few of them.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_DECOMPOSE_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_DECOMPOSE_H_

#include <utility>

#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// All decompositions, each exact but for the rounding of its arithmetic. They
// are of the newest versions of operations mostly: Upgrade comes before.
const NodeRules& Decompositions();

// Whether a node's rule says it better when all of its shapes are known than
// now: for devices that decompose a second time then.
bool WaitsForShapes(const Node& node);

// Replaces each node that is not native and has a rule, again and again. What
// has no rule that applies stays, native or not. Shapes are known better, and
// constants many more, behind it: AddCommonPasses cleans up. Every step rounds
// to the type of the data: ConvertPrecision comes before, where that is f16.
class Decompose : public Pass {
 public:
  explicit Decompose(NodePredicate is_native)
      : is_native_(std::move(is_native)) {}

  absl::string_view name() const override { return "decompose"; }
  absl::StatusOr<bool> Run(Model& model) override {
    return Decompositions().Apply(model, is_native_);
  }

 private:
  NodePredicate is_native_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_DECOMPOSE_H_
