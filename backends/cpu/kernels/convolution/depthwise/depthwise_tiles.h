// Convolutions of each channel by itself with large windows, which take far
// longer than reading: a band of one block of channels is copied with its
// borders of zeros, side by side, and sums of two rows of pixels stay in
// registers for the whole window, so that each pixel is read once for two rows
// of weights.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_DEPTHWISE_DEPTHWISE_TILES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_DEPTHWISE_DEPTHWISE_TILES_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/operands.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"

namespace dovetail::cpu {

struct DepthwiseTilesShape {
  int64_t batch = 1, channels = 1;
  WindowAxis rows, columns;  // of dilation 1
  // [N, H, W, C], or blocks of Lanes() channels: [N, C / lanes, H, W, lanes],
  // the last one padded with zeros.
  bool is_blocked = false;
};

// Immutable, for any number of threads.
class DepthwiseTiles {
 public:
  // Channels that are computed side by side: 8 or 16, as long as vectors are.
  // 0: this processor has none for it.
  static int64_t Lanes();

  // Cut into pieces for that many threads. Lanes() is not 0.
  DepthwiseTiles(const DepthwiseTilesShape& shape, int threads);

  const DepthwiseTilesShape& shape() const { return shape_; }

  // From [channels, rows, columns] to [blocks, rows, columns, lanes].
  int64_t weights_floats() const;
  void PackWeights(const float* from, float* to) const;

  int64_t piece_count() const { return shape_.batch * blocks_ * bands_; }
  int64_t scratch_floats() const;
  // Vectors of results.
  double results() const;
  // Vectors of products, with those of zeros beside the input that are part of
  // a tile; as if each tile had that many sums at least, for fewer wait.
  double products(int64_t least_sums) const;

  // Computes `count` pieces from number `first` on; `scratch` has
  // scratch_floats(). Numbers of the epilogue are padded to whole blocks of
  // lanes.
  void Run(const ConvolutionOperands& operands, int64_t first, int64_t count,
           float* scratch) const;

 private:
  const DepthwiseTilesShape shape_;
  const int64_t lanes_, blocks_;
  int64_t band_rows_ = 1, bands_ = 1;  // rows of the output
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_DEPTHWISE_DEPTHWISE_TILES_H_
