// Convolutions of stride 1 with a fraction of the products, by the minimal
// filtering algorithms F(m, r) of Winograd (see Lavin and Gray, "Fast
// algorithms for convolutional neural networks", 2015), on tensors in blocks of
// as many channels as vectors have lanes, or with channels last.
//
// Along an axis with a window of r taps, the output is cut into tiles of
// m = 7 - r. What each reads, 6 elements, is transformed to 6 numbers, which
// are multiplied with those of the weights, summed over the inputs' channels,
// and transformed back. Or tiles read 4 elements, with m = 5 - r: more products
// of fewer weights. Tiles of dilated windows take every n-th element.
// Roundings differ from those of a plain sum by some 1e-6 of the greatest
// result.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_WINOGRAD_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_WINOGRAD_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/operands.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd_tiles.h"

namespace dovetail::cpu {

// Channels that are computed side by side: 8 or 16, as long as vectors are.
// 0: this processor has none for it.
int64_t WinogradLanes();

// How many of the WinogradTiles are best computed together.
int64_t WinogradTilesAtATime(const WinogradShape& shape);
// Groups of output channels that can be computed apart from each other.
int64_t WinogradGroups(const WinogradShape& shape);

// Floats of transformed weights.
int64_t WinogradWeightsSize(const WinogradShape& shape);
// Those of one of the WinogradGroups, from all of [outputs, inputs, kernel
// planes, rows, columns], row-major; `transformed`, aligned to 64 bytes, is
// where the first group's begin. Groups may be transformed by several threads.
void TransformWinogradWeights(const WinogradShape& shape, int64_t group,
                              const float* weights, float* transformed);

// A part of the work: up to WinogradTilesAtATime tiles, and groups of outputs.
struct WinogradPart {
  int64_t first_tile = 0, tiles = 0;
  int64_t first_group = 0, groups = 0;
};

// Floats that a thread needs for such a part.
int64_t WinogradScratchSize(const WinogradShape& shape,
                            const WinogradPart& part);

// `scratch` and the weights are aligned to 64 bytes. What is read and what is
// stored may be bf16 where there are 16 lanes; transforms, products and sums
// are of f32 all the same.
void ConvolveWinograd(const WinogradShape& shape, const WinogradPart& part,
                      const ConvolutionOperands& operands, float* scratch);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_WINOGRAD_H_
