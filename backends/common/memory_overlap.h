// Overlap of a context's outputs with inputs that are still read.
#ifndef DOVETAIL_BACKENDS_COMMON_MEMORY_OVERLAP_H_
#define DOVETAIL_BACKENDS_COMMON_MEMORY_OVERLAP_H_

#include "absl/types/span.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Whether an output's memory is also that of an input or of another output.
// Tensors without data count as nothing.
bool OutputsShareMemory(absl::Span<const Tensor> inputs,
                        absl::Span<const Tensor> outputs);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_MEMORY_OVERLAP_H_
