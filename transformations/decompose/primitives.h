// The operations that are left when everything that can be said by others is:
// the kernels that a backend cannot do without.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_PRIMITIVES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_PRIMITIVES_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_type.h"

namespace dovetail {

// "Abs-0", "Add-1", …; for IsOneOf (node_rules.h). A device that runs no more
// than these runs all models behind Upgrade and Decompose, but for forms that
// a rule declines, as its comment says.
absl::Span<const OpType> PrimitiveOperations();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_PRIMITIVES_H_
