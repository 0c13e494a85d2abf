// Nodes that compute nothing: they move the elements of their first input, or
// say how these are to be read.
#ifndef DOVETAIL_TRANSFORMATIONS_COMMON_MOVEMENTS_H_
#define DOVETAIL_TRANSFORMATIONS_COMMON_MOVEMENTS_H_

#include "dovetail/core/graph/node.h"

namespace dovetail {

// The same elements in the same order with another shape: Reshape, Squeeze,
// Unsqueeze.
bool IsReshape(const Node& node);

// The same elements, perhaps in another order: one of those, or Transpose.
bool IsMovement(const Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_COMMON_MOVEMENTS_H_
