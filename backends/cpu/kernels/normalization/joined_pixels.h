// Pixels whose channels come from several tensors, channels last: a Concat of
// channels and what is done to each of them behind it, in one pass.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_JOINED_PIXELS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_JOINED_PIXELS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "dovetail/backends/cpu/kernels/normalization/pixel_epilogue.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// A tensor {pixels, channels} of f32 or bf16.
struct PixelPart {
  int64_t channels = 0;
  ElementType type = ElementType::kF32;
};

// Pixels [begin, end): the channels of the parts, whose elements are at `data`,
// side by side, as many as the epilogue has, and finished by it. It has no grid,
// and its type, which is that of `out`, {pixels, channels}, is f32 or bf16. `out`
// overlaps no part. `data` may have more pointers than there are parts. Pixels
// are read by vectors of channels, so few at a time stay in the L1 cache.
void FinishJoinedPixels(absl::Span<const PixelPart> parts,
                        absl::Span<const void* const> data,
                        const PixelEpilogue& epilogue, int64_t begin,
                        int64_t end, void* out);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_JOINED_PIXELS_H_
