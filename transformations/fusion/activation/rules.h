// Activation functions said by arithmetic.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_ACTIVATION_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_ACTIVATION_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// Relu, Clamp and PRelu out of maxima and minima. Before the others, which know
// a ramp only as Clamp.
absl::Span<const NodeRule> ClampFusions();
absl::Span<const NodeRule> GeluFusions();
// HSigmoid and HSwish.
absl::Span<const NodeRule> HardActivationFusions();
// SoftPlus and Mish.
absl::Span<const NodeRule> SoftPlusFusions();
// Sigmoid and Swish.
absl::Span<const NodeRule> SwishFusions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_ACTIVATION_RULES_H_
