// InstanceNorm and GroupNorm on f32 whose channels, all or in blocks, are the
// last axis, where the numbers that are normalized together do not lie together:
// first the moments of parts of the pixels, then those of all, then pixel by
// pixel.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_CHANNELS_LAST_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_CHANNELS_LAST_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/normalization/pixel_epilogue.h"
#include "dovetail/backends/cpu/kernels/normalization/variance.h"

namespace dovetail::cpu {

// An image {blocks, area, width}: channel c is number c % width of the pixels of
// block c / width. `groups` groups of channels are normalized each.
struct PixelShape {
  int64_t blocks, area, width, groups;
  int64_t channels() const { return blocks * width; }
};

// Of pixels [begin, end) of a block {area, width}, each channel: its mean, and
// behind those of all channels the sums of squares of the differences from it.
// `moments` has 2 * width numbers.
void MomentsOfPixels(const float* block, int64_t width, int64_t begin,
                     int64_t end, float* moments);

// For groups [begin, end), from the moments of all blocks, one behind the other,
// each in parts of `pixels` pixels but perhaps the last: what NormalizePixels
// subtracts, multiplies with and adds, 3 * width numbers a block. scale and shift
// null for 1 and 0.
void FactorsOfGroups(const float* moments, int64_t pixels,
                     const PixelShape& shape, const float* scale,
                     const float* shift, const VarianceOptions& options,
                     int64_t begin, int64_t end, float* factors);

// Pixels [begin, end) of a block; both blocks may be the same memory.
void NormalizePixels(const float* block, const float* factors, int64_t width,
                     int64_t begin, int64_t end, float* out);

// The same with an epilogue of as many channels. `out` is the first element of
// the block in the epilogue's type; of f32, both may be the same memory.
void NormalizePixels(const float* block, const float* factors,
                     const PixelEpilogue& epilogue, int64_t begin, int64_t end,
                     void* out);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_CHANNELS_LAST_H_
