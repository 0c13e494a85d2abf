// Decompositions of control flow: bodies become part of the model around them.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CONTROL_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CONTROL_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// If of a known condition: what is in that branch.
absl::Span<const NodeRule> BranchDecompositions();

// Loop and TensorIterator of a known number of iterations, kMaxUnrolled at
// most: so many copies of the body. Not among all decompositions, because it
// makes models large; see unroll_loops.h.
absl::Span<const NodeRule> UnrollRules();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CONTROL_RULES_H_
