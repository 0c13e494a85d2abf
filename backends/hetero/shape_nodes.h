// The nodes of a model that compute with extents of tensors.
#ifndef DOVETAIL_BACKENDS_HETERO_SHAPE_NODES_H_
#define DOVETAIL_BACKENDS_HETERO_SHAPE_NODES_H_

#include <unordered_set>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail::hetero {

// Of `order`, a topological one, the nodes that any device computes alike, from
// nothing but the shapes of tensors and constants: a few integers that the same
// nodes give wherever they run. Those that round on the way are not among them.
std::unordered_set<const Node*> ShapeNodes(const std::vector<Node*>& order);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_SHAPE_NODES_H_
