// The devices of nodes that compute with extents of tensors.
#ifndef DOVETAIL_BACKENDS_HETERO_ASSIGN_SHAPE_DEVICES_H_
#define DOVETAIL_BACKENDS_HETERO_ASSIGN_SHAPE_DEVICES_H_

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "dovetail/backends/hetero/parts/partition.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::hetero {

// Moves shape nodes (shape_nodes.h) that one other device alone reads to that
// device, where `may_move` allows it and the tensors whose shapes they begin
// with are there anyway. Else a device that others need for nothing else would
// cut the model for a few integers. `order` is topological.
void MoveShapeNodes(
    const std::vector<Node*>& order,
    const std::function<bool(const Node&, const std::string&)>& may_move,
    Assignment& devices);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_ASSIGN_SHAPE_DEVICES_H_
