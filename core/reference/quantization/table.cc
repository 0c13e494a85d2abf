#include "dovetail/core/reference/quantization/table.h"

#include "dovetail/core/reference/quantization/quantization.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"FakeConvert", 13, &FakeConvertKernel},
    {"FakeQuantize", 0, &FakeQuantizeKernel},
};

}  // namespace

absl::Span<const KernelRow> QuantizationKernels() { return kKernels; }

}  // namespace dovetail
