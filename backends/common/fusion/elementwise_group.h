// Groups of elementwise nodes that are computed together.
//
// For kernels that run any program of operations: a group is a graph whose
// nodes may read the same values several times, and may have several outputs.
// What a kernel with a few fixed functions computes behind its sums is a chain
// instead: epilogue.h.
#ifndef DOVETAIL_BACKENDS_COMMON_FUSION_ELEMENTWISE_GROUP_H_
#define DOVETAIL_BACKENDS_COMMON_FUSION_ELEMENTWISE_GROUP_H_

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// All nodes have one output of the same shape, so nothing small is computed
// again and again because something large uses it.
struct ElementwiseGroup {
  Shape shape;
  // The first one is what the group grew from; each after those it reads.
  std::vector<const Node*> nodes;

  bool Has(const Node* node) const;
  // Those that something outside of the group reads, of what `counts`.
  std::vector<const Node*> Outputs(
      absl::FunctionRef<bool(const Node& reader)> counts = [](const Node&) {
        return true;
      }) const;
};

// What a group may be made of. Shapes, and that somebody reads a node, need not
// be asked.
struct ElementwiseRules {
  // Whether the node can be computed within a group.
  absl::FunctionRef<bool(const Node& node)> takes;
  // Whether input `i` of a node can be read from outside; also asked of inputs
  // that are parameters.
  absl::FunctionRef<bool(const Node& node, int i)> reads;
  // Whether other members may read what the node computes.
  absl::FunctionRef<bool(const Node& node)> is_readable;
  size_t max_nodes = 32;
  size_t max_inputs = 10;  // different values from outside
  // Whether a node that is not computed yet is cheap enough to be computed in
  // each group that reads it. Such nodes become members before their readers.
  bool (*is_lazy)(const Node& node) = nullptr;  // none is
};

// `anchor` with what follows it, directly or by other members. Inputs of the
// anchor count only where `is_member`: it is an elementwise node itself.
ElementwiseGroup GrowGroup(const Node& anchor, bool is_member,
                           const ElementwiseRules& rules);

// Drops the last nodes, all but the anchor at most, until only the last one is
// read outside.
void KeepOneOutput(ElementwiseGroup& group);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_FUSION_ELEMENTWISE_GROUP_H_
