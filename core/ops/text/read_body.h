// Reads how a body is bound to its node, in a model's text form.
#ifndef DOVETAIL_CORE_OPS_TEXT_READ_BODY_H_
#define DOVETAIL_CORE_OPS_TEXT_READ_BODY_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/text/scanner.h"

namespace dovetail {

// The index of a port, parameter or result; -1 stands for none.
absl::StatusOr<int> ReadPortIndex(Scanner& scanner);

// The line that opens a body, behind the word "body":
// "inputs {…} outputs {…} back_edges {…} iteration 1 condition 0 {".
absl::Status ReadBodyLine(Scanner& scanner, Body& body);

// Whether `body`, now with its nodes, is bound to what exists, as inference of
// the node relies on.
absl::Status CheckBodyBindings(const Node& node, const Body& body);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_TEXT_READ_BODY_H_
