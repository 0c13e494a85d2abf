#include "dovetail/core/reference/state/table.h"

#include "dovetail/core/reference/state/variable.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"Assign", 3, &AssignKernel},
    {"Assign", 6, &AssignKernel},
    {"ReadValue", 3, &ReadValueKernel},
    {"ReadValue", 6, &ReadValueKernel},
};

}  // namespace

absl::Span<const KernelRow> StateKernels() { return kKernels; }

}  // namespace dovetail
