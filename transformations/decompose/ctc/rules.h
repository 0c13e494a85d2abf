// Decompositions of connectionist temporal classification.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CTC_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CTC_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// CTCGreedyDecoder, CTCGreedyDecoderSeqLen: the best classes by TopK, put where
// sums of those before say.
absl::Span<const NodeRule> CtcDecompositions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CTC_RULES_H_
