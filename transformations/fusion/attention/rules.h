// Attention said by matrix multiplications and a softmax.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_ATTENTION_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_ATTENTION_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

absl::Span<const NodeRule> AttentionFusions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_ATTENTION_RULES_H_
