#include "dovetail/core/reference/reduction/table.h"

#include "dovetail/core/reference/reduction/reduce.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"ReduceL1", 4, &ReduceL1Kernel},
    {"ReduceL2", 4, &ReduceL2Kernel},
    {"ReduceLogicalAnd", 1, &ReduceLogicalAndKernel},
    {"ReduceLogicalOr", 1, &ReduceLogicalOrKernel},
    {"ReduceMax", 1, &ReduceMaxKernel},
    {"ReduceMean", 1, &ReduceMeanKernel},
    {"ReduceMin", 1, &ReduceMinKernel},
    {"ReduceProd", 1, &ReduceProdKernel},
    {"ReduceSum", 1, &ReduceSumKernel},
};

}  // namespace

absl::Span<const KernelRow> ReductionKernels() { return kKernels; }

}  // namespace dovetail
