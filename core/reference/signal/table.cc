#include "dovetail/core/reference/signal/table.h"

#include "dovetail/core/reference/signal/signal.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"DFT", 7, &DftKernel},     {"IDFT", 7, &IdftKernel},
    {"IRDFT", 9, &IrdftKernel}, {"ISTFT", 16, &IstftKernel},
    {"RDFT", 9, &RdftKernel},   {"STFT", 15, &StftKernel},
};

}  // namespace

absl::Span<const KernelRow> SignalKernels() { return kKernels; }

}  // namespace dovetail
