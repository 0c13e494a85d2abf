// Decompositions into arithmetic.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ARITHMETIC_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ARITHMETIC_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

absl::Span<const NodeRule> ActivationDecompositions();
absl::Span<const NodeRule> AttentionDecompositions();
// Of every operation on two tensors.
absl::Span<const NodeRule> BroadcastingDecompositions();
absl::Span<const NodeRule> ConvolutionDecompositions();
absl::Span<const NodeRule> EinsumDecompositions();
// Whether an Einsum is as well said now as when all shapes are known. It is not
// where extents are unknown over which products are summed: one that is 1
// broadcasts, which no product of matrices knows.
bool KnowsSummedExtents(const Node& einsum);
absl::Span<const NodeRule> ElementwiseDecompositions();
absl::Span<const NodeRule> GroupedMatMulDecompositions();
absl::Span<const NodeRule> NormalizationDecompositions();
absl::Span<const NodeRule> PoolingDecompositions();
absl::Span<const NodeRule> QuantizationDecompositions();
absl::Span<const NodeRule> ReductionDecompositions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ARITHMETIC_RULES_H_
