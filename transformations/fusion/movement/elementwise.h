// Operations whose output's elements depend on single elements of the inputs.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_MOVEMENT_ELEMENTWISE_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_MOVEMENT_ELEMENTWISE_H_

#include "dovetail/core/graph/node.h"

namespace dovetail {

// Of input 0 alone, other inputs being single numbers.
bool IsUnaryElementwise(const Node& node);
// Of two inputs, with NumPy's broadcasting.
bool IsBinaryElementwise(const Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_MOVEMENT_ELEMENTWISE_H_
