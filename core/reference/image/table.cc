#include "dovetail/core/reference/image/table.h"

#include "dovetail/core/reference/image/resize/interpolate.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"Interpolate", 0, &InterpolateKernel},
    {"Interpolate", 4, &InterpolateKernel},
    {"Interpolate", 11, &InterpolateKernel},
};

}  // namespace

absl::Span<const KernelRow> ImageKernels() { return kKernels; }

}  // namespace dovetail
