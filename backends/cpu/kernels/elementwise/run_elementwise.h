// Runs elementwise programs.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_RUN_ELEMENTWISE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_RUN_ELEMENTWISE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_geometry.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"

namespace dovetail::cpu {

// Computes tiles [begin, end) of all outputs; 0 <= begin <= end <=
// geometry.tile_count. `geometry` is made for this program; inputs and outputs
// are pointers to the first elements in the program's types, as many as it
// has. Different ranges may run on several threads at once. Allocates nothing;
// takes up to 64 KiB of stack.
//
// An output may be the same memory as an input of the same element size if both
// are dense; otherwise they must not overlap.
void RunElementwise(const ElementwiseProgram& program,
                    const ElementwiseGeometry& geometry,
                    absl::Span<const void* const> inputs,
                    absl::Span<void* const> outputs, int64_t begin,
                    int64_t end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_RUN_ELEMENTWISE_H_
