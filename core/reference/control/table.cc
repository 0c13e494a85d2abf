#include "dovetail/core/reference/control/table.h"

#include "dovetail/core/reference/control/if.h"
#include "dovetail/core/reference/control/loop.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"If", 8, &IfKernel},
    {"Loop", 5, &LoopKernel},
    {"TensorIterator", 0, &TensorIteratorKernel},
};

}  // namespace

absl::Span<const KernelRow> ControlKernels() { return kKernels; }

}  // namespace dovetail
