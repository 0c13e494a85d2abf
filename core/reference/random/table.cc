#include "dovetail/core/reference/random/table.h"

#include "dovetail/core/reference/random/random.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"Multinomial", 13, &MultinomialKernel},
    {"RandomUniform", 8, &RandomUniformKernel},
};

}  // namespace

absl::Span<const KernelRow> RandomKernels() { return kKernels; }

}  // namespace dovetail
