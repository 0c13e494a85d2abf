// Loops that are one operation.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_RECURRENT_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_RECURRENT_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// LSTMSequence, GRUSequence and RNNSequence out of TensorIterator and Loop with
// one cell in the body.
absl::Span<const NodeRule> SequenceFusions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_RECURRENT_RULES_H_
