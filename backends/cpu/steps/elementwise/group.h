// Elementwise nodes that are computed in one sweep.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_GROUP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_GROUP_H_

#include <vector>

#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::cpu {

// All nodes have one output of the same shape, so nothing small is computed
// again and again because something large uses it.
struct ElementwiseGroup {
  Shape shape;
  // The first one is what the group grew from; each after those it uses.
  std::vector<const Node*> nodes;

  bool Has(const Node* node) const;
  // Those that something outside of the group reads.
  std::vector<const Node*> Outputs() const;
};

// `anchor`, which is an instruction, with what follows it and reads nothing
// that is not ready, directly or by other members.
ElementwiseGroup GrowGroup(const Node& anchor, const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_GROUP_H_
