#include "dovetail/core/reference/string/table.h"

#include "dovetail/core/reference/string/string.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"StringTensorPack", 15, &StringTensorPackKernel},
    {"StringTensorUnpack", 15, &StringTensorUnpackKernel},
};

}  // namespace

absl::Span<const KernelRow> StringKernels() { return kKernels; }

}  // namespace dovetail
