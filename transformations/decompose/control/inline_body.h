// Copies what is in a body to the model around it.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CONTROL_INLINE_BODY_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CONTROL_INLINE_BODY_H_

#include <vector>

#include "dovetail/core/graph/model.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

// Whether copies compute the same as the body itself: it has no state, which
// would have to be read and written in order, and no random numbers, whose
// generators count the times that they ran.
bool CanInline(const Model& body);

// The results of the body for these parameters. Parameters that nothing reads
// may be empty.
std::vector<Value> InlineBody(NodeBuilder& b, const Model& body,
                              const std::vector<Value>& parameters);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CONTROL_INLINE_BODY_H_
