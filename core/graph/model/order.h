// An order of a model's nodes for comparing models.
#ifndef DOVETAIL_CORE_GRAPH_MODEL_ORDER_H_
#define DOVETAIL_CORE_GRAPH_MODEL_ORDER_H_

#include <vector>

#include "dovetail/core/graph/model.h"

namespace dovetail {

// All nodes in an order that follows from how they are connected: parameters,
// then results, sinks and the rest, each after what it reads. Only nodes that
// no result or sink needs come in order of creation among themselves. Never
// fails: nodes on a cycle come in some order.
std::vector<Node*> CanonicalOrder(const Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_MODEL_ORDER_H_
