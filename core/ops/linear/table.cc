#include "dovetail/core/ops/linear/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/linear/einsum.h"
#include "dovetail/core/ops/linear/grouped_matmul.h"
#include "dovetail/core/ops/linear/inverse.h"
#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/core/ops/linear/scaled_dot_product_attention.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"MatMul", 0, "MatMul", OpsetRange::Since(1), {2, 2}, {1, 1},
     &MakeAttributes<MatMulAttributes>, &InferMatMul, kAnyNumericOrBoolean},
    {"Einsum", 7, "Einsum", OpsetRange::Since(7), {1, Arity::kAny}, {1, 1},
     &MakeAttributes<EinsumAttributes>, &InferEinsum, kAnyNumeric},
    {"Inverse", 14, "Inverse", OpsetRange::Since(14), {1, 1}, {1, 1},
     &MakeAttributes<InverseAttributes>, &InferInverse, kAnyFloat},
    {"GroupedMatMul", 17, "GroupedMatMul", OpsetRange::Since(17), {2, 4},
     {1, 1}, &MakeAttributes<NoAttributes>, &InferGroupedMatMul, kAnyNumeric},
    {"ScaledDotProductAttention", 13, "ScaledDotProductAttention",
     OpsetRange::Since(13), {3, 6}, {1, 1},
     &MakeAttributes<ScaledDotProductAttentionAttributes>,
     &InferScaledDotProductAttention, kAnyFloat},
};

}  // namespace

absl::Span<const OpInfo> LinearOps() { return kOps; }

}  // namespace dovetail
