#include "dovetail/core/reference/pooling/table.h"

#include "dovetail/core/reference/pooling/pooling.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"AvgPool", 1, &AvgPoolKernel},
    {"AvgPool", 14, &AvgPoolKernel},
    {"AvgPool", 16, &AvgPoolKernel},
    {"MaxPool", 1, &MaxPoolKernel},
    {"MaxPool", 8, &MaxPoolKernel},
    {"MaxPool", 14, &MaxPoolKernel},
    {"AdaptiveAvgPool", 8, &AdaptiveAvgPoolKernel},
    {"AdaptiveMaxPool", 8, &AdaptiveMaxPoolKernel},
};

}  // namespace

absl::Span<const KernelRow> PoolingKernels() { return kKernels; }

}  // namespace dovetail
