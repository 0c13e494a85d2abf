// The nodes of a model that compute with extents of tensors, or with constants
// alone.
#ifndef DOVETAIL_BACKENDS_HETERO_PARTS_SHAPE_NODES_H_
#define DOVETAIL_BACKENDS_HETERO_PARTS_SHAPE_NODES_H_

#include <unordered_set>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail::hetero {

// Of `order`, a topological one, the nodes that a part may have copies of:
// - those that any device computes alike, from nothing but the shapes of
// tensors
//   and constants: a few integers that the same nodes give wherever they run.
//   Those that round on the way are not among them.
// - those that depend on constants alone, such as what makes floats of stored
//   integers: a device then takes weights for what they are. It packs them, and
//   rounds as the file says, which a tensor from another part would not let it.
std::unordered_set<const Node*> ShapeNodes(const std::vector<Node*>& order);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_PARTS_SHAPE_NODES_H_
