#include "dovetail/core/reference/linear/table.h"

#include "dovetail/core/reference/linear/linear.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"MatMul", 0, &MatMulKernel},
    {"Einsum", 7, &EinsumKernel},
    {"Inverse", 14, &InverseKernel},
    {"GroupedMatMul", 17, &GroupedMatMulKernel},
    {"ScaledDotProductAttention", 13, &ScaledDotProductAttentionKernel},
};

}  // namespace

absl::Span<const KernelRow> LinearKernels() { return kKernels; }

}  // namespace dovetail
