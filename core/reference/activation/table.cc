#include "dovetail/core/reference/activation/table.h"

#include "dovetail/core/reference/activation/activation.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"Elu", 0, &EluKernel},
    {"Gelu", 0, &GeluErfKernel},
    {"Gelu", 7, &GeluKernel},
    {"HardSigmoid", 0, &HardSigmoidKernel},
    {"HSigmoid", 5, &HSigmoidKernel},
    {"HSwish", 4, &HSwishKernel},
    {"Mish", 4, &MishKernel},
    {"PRelu", 0, &PReluKernel},
    {"Relu", 0, &ReluKernel},
    {"Selu", 0, &SeluKernel},
    {"Sigmoid", 0, &SigmoidKernel},
    {"SoftPlus", 4, &SoftPlusKernel},
    {"SoftSign", 9, &SoftSignKernel},
    {"Swish", 4, &SwishKernel},
    {"Tanh", 0, &TanhKernel},
};

}  // namespace

absl::Span<const KernelRow> ActivationKernels() { return kKernels; }

}  // namespace dovetail
