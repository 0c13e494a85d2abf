// Arithmetic with constants in its simplest form, which other rules rely on.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_ARITHMETIC_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_ARITHMETIC_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// Of floats: x - c as x + -c, x / c as x * (1 / c), several constants in a row
// as one, and adding 0 left out.
absl::Span<const NodeRule> ConstantOperandFusions();
// Conversions in a row.
absl::Span<const NodeRule> ConvertFusions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_ARITHMETIC_RULES_H_
