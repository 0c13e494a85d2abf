// Decompositions of operations that find elements by index, and order them.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_INDEXING_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_INDEXING_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// Bucketize, SearchSorted, CumSum: comparisons and sums.
absl::Span<const NodeRule> OrderingDecompositions();
// All kinds of Gather: Gather along a single axis.
absl::Span<const NodeRule> GatherDecompositions();
// ScatterUpdate, ScatterElementsUpdate, SegmentMax: ScatterNDUpdate.
absl::Span<const NodeRule> ScatterDecompositions();
// GatherTree: a TensorIterator.
absl::Span<const NodeRule> GatherTreeDecompositions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_INDEXING_RULES_H_
