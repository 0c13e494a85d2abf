// Normalizations said by arithmetic.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_NORMALIZATION_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_NORMALIZATION_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// GroupNormalization, and MVN of more axes, out of reshapes around MVN.
absl::Span<const NodeRule> GroupNormFusions();
// MVN, of which layer and instance normalization are made.
absl::Span<const NodeRule> MvnFusions();
absl::Span<const NodeRule> NormalizeL2Fusions();
// There is no operation for it: it gets the form that rms_norm_pattern.h tells.
absl::Span<const NodeRule> RmsNormFusions();
absl::Span<const NodeRule> SoftmaxFusions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_NORMALIZATION_RULES_H_
