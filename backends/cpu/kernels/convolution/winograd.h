// Convolutions of 3 x 3 windows and stride 1 with a quarter of the products, by
// the minimal filtering algorithm F(4 x 4, 3 x 3) of Winograd (see Lavin and
// Gray, "Fast algorithms for convolutional neural networks", 2015), on tensors
// in blocks of 8 channels: [N, C / 8, H, W, 8].
//
// The output is cut into tiles of 4 x 4. What each reads, 6 x 6, is transformed
// to 36 numbers, which are multiplied with those of the weights, summed over
// the inputs' channels, and transformed back. Roundings differ from those of a
// plain sum by some 1e-6 of the greatest result.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/winograd_tiles.h"

namespace dovetail::cpu {

// Whether this processor has vectors for it.
bool HasWinograd();

// Floats of transformed weights.
int64_t WinogradWeightsSize(const WinogradShape& shape);
// From [outputs, inputs, 3, 3], row-major.
void TransformWinogradWeights(const WinogradShape& shape, const float* weights,
                              float* transformed);

// How many of the WinogradTiles are best computed together.
int64_t WinogradTilesAtATime(const WinogradShape& shape);
// Floats that each thread needs for that.
int64_t WinogradScratchSize(const WinogradShape& shape);

// What becomes of the sums.
struct WinogradEpilogue {
  const float* bias = nullptr;      // a number for each output, padded; or none
  const float* residual = nullptr;  // is added, laid out as the output; or none
  // Limits of the results. 0 is within them if there are padded channels.
  float low = 0, high = 0;
};

// Computes `count` tiles from number `first` on, at most WinogradTilesAtATime.
// `scratch` and `weights` are aligned to 64 bytes. `residual` may be `output`.
void ConvolveWinogradTiles(const WinogradShape& shape, int64_t first,
                           int64_t count, const float* input,
                           const float* weights,
                           const WinogradEpilogue& epilogue, float* scratch,
                           float* output);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINOGRAD_H_
