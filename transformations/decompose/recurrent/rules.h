// Decompositions of recurrent cells and of sequences of them.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_RECURRENT_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_RECURRENT_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// One step: into products and activation functions.
absl::Span<const NodeRule> CellDecompositions();
// Many steps: into a TensorIterator with a cell in its body.
absl::Span<const NodeRule> SequenceDecompositions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_RECURRENT_RULES_H_
