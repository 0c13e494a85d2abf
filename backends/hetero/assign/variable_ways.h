// Layers that have to be on one device for the sake of a variable.
#ifndef DOVETAIL_BACKENDS_HETERO_ASSIGN_VARIABLE_WAYS_H_
#define DOVETAIL_BACKENDS_HETERO_ASSIGN_VARIABLE_WAYS_H_

#include <cstddef>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail::hetero {

// For each variable the positions in `order`, a topological one, of the nodes
// that read and assign it and of those on a way from one of these to another:
// a part that has the two has them, too, as parts do not wait for each other.
std::vector<std::vector<size_t>> VariableWays(const std::vector<Node*>& order);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_ASSIGN_VARIABLE_WAYS_H_
