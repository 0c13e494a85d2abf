// Bindings of a body to its node, checked and turned round: from what each
// parameter of the body comes.
#ifndef DOVETAIL_CORE_OPS_CONTROL_BODY_BINDINGS_H_
#define DOVETAIL_CORE_OPS_CONTROL_BODY_BINDINGS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// From what one parameter of a body gets its value. Pointers are into the Body.
struct ParameterSource {
  const BodyInput* input = nullptr;  // null: nothing outside feeds it
  // Feeds it after the first iteration; never one that is given parts.
  int back_edge_result = -1;
  bool is_iteration = false;  // the iteration's number, and nothing else

  bool is_sliced() const {
    return input != nullptr && input->slicing.has_value();
  }
};

// The node's only body, or one of its two, or an error that says how many it
// has instead.
absl::StatusOr<const Body*> BodyOf(const Node& node, int index, int count);

// One source for each parameter of the body. kInvalidArgument when an index is
// of nothing, when a parameter is fed twice or an output given twice or not at
// all, when a back edge has no first value. A back edge to a parameter that is
// given parts of an input does nothing. Parameters that nothing feeds pass when
// nothing reads them.
absl::StatusOr<std::vector<ParameterSource>> ResolveBindings(const Node& node,
                                                             const Body& body);

// What the body's result number `result` gives.
const OutputPort& ResultPort(const Body& body, int result);

// Declares a parameter of a body anew; an unknown type leaves the one that it
// has.
absl::Status DeclareParameter(Node& parameter, ElementType type,
                              const PartialShape& shape);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONTROL_BODY_BINDINGS_H_
