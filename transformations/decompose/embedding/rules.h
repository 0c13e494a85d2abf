// Decompositions of embeddings.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_EMBEDDING_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_EMBEDDING_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// Sums and means of rows: Gather, then sums over an axis or by ScatterNDUpdate.
absl::Span<const NodeRule> EmbeddingDecompositions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_EMBEDDING_RULES_H_
