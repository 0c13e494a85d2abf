// The same computation in another element type.
#ifndef DOVETAIL_TESTING_CONFORMANCE_ELEMENT_TYPES_RETYPE_H_
#define DOVETAIL_TESTING_CONFORMANCE_ELEMENT_TYPES_RETYPE_H_

#include "absl/status/statusor.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// The elements in another type; between strings and numbers any elements.
absl::StatusOr<Tensor> Retyped(const Tensor& tensor, ElementType type);

// Puts one type in the place of another wherever attributes of the node and of
// its bodies' nodes name it, and infers the bodies anew. The error is of a node
// in a body that does not take the type.
absl::Status RetypeAttributes(Node& node, ElementType from, ElementType to);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_ELEMENT_TYPES_RETYPE_H_
