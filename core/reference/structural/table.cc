#include "dovetail/core/reference/structural/table.h"

#include "dovetail/core/reference/structural/structural.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"Parameter", 0, &ParameterKernel},
    {"Constant", 0, &ConstantKernel},
    {"Result", 0, &ResultKernel},
    {"Identity", 16, &IdentityKernel},
};

}  // namespace

absl::Span<const KernelRow> StructuralKernels() { return kKernels; }

}  // namespace dovetail
