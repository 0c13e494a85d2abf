#include "dovetail/core/reference/normalization/table.h"

#include "dovetail/core/reference/normalization/normalization.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"BatchNormInference", 0, &BatchNormKernel},
    {"BatchNormInference", 5, &BatchNormKernel},
    {"GRN", 0, &GrnKernel},
    {"GroupNormalization", 12, &GroupNormKernel},
    {"LogSoftmax", 5, &LogSoftmaxKernel},
    {"LRN", 0, &LrnKernel},
    {"MVN", 0, &MvnKernel},
    {"MVN", 6, &Mvn6Kernel},
    {"NormalizeL2", 0, &NormalizeL2Kernel},
    {"Softmax", 1, &SoftmaxKernel},
    {"Softmax", 8, &SoftmaxKernel},
};

}  // namespace

absl::Span<const KernelRow> NormalizationKernels() { return kKernels; }

}  // namespace dovetail
