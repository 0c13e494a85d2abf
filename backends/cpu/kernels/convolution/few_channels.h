// Convolutions that read tensors of few channels, such as images, planar or
// channels last, also of bytes: with results in blocks of as many channels as
// vectors have lanes, or channels last, or planar where there are few of them
// as well.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_FEW_CHANNELS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_FEW_CHANNELS_H_

#include <cstdint>
#include <vector>

#include "dovetail/backends/cpu/kernels/convolution/operands.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"

namespace dovetail::cpu {

struct FewChannelsShape {
  enum class Source : uint8_t {
    kPlanar,        // [N, C, H, W]
    kChannelsLast,  // [N, H, W, C]
    kBytes,         // the same of u8, which stand for floats
  };
  enum class Result : uint8_t {
    kPlanar,        // columns have a stride of 1
    kBlocked,       // [N, C / lanes, H, W, lanes], padded with zeros
    kChannelsLast,  // [N, H, W, C]
  };

  int64_t batch = 1;
  int64_t inputs = 1, outputs = 1;  // channels
  WindowAxis rows, columns;
  Result result = Result::kPlanar;
  Source source = Source::kPlanar;
  // Of kBytes, for each channel: (byte + added) * factors.
  std::vector<float> added = {}, factors = {};

  int64_t taps() const { return inputs * rows.kernel * columns.kernel; }
};

// A convolution whose rows are cut into work items. Of each, the input is
// copied in planes with the zeros around it, so that all windows are alike: a
// tap is an offset.
class FewChannelsConvolution {
 public:
  // For so many threads. A work item has `least_products` at least, where there
  // are so many.
  FewChannelsConvolution(const FewChannelsShape& shape, int threads,
                         int64_t least_products);

  // Floats of a vector, 8 or 16; 0: this processor has none for it.
  static int64_t Lanes();

  const FewChannelsShape& shape() const { return shape_; }

  int64_t weights_floats() const;
  // From [outputs, inputs, kernel rows, kernel columns].
  void PackWeights(const float* weights, float* packed) const;

  int64_t work_item_count() const { return shape_.batch * bands_; }
  // Floats that each thread needs.
  int64_t scratch_floats() const;
  // With weights of PackWeights, aligned to 64 bytes. The operands' input is of
  // bytes where the shape says so.
  void Run(const ConvolutionOperands& operands, int64_t first, int64_t count,
           float* scratch) const;

  // ---- For the kernel ----

  // A work item: rows of results of one image.
  struct Band {
    int64_t n, first, rows;
  };
  Band BandOf(int64_t item) const;
  // Blocks of outputs, the last one padded.
  int64_t output_blocks() const {
    return (shape_.outputs + lanes_ - 1) / lanes_;
  }
  // Of the copy: from a row to the next.
  int64_t row_step() const { return row_step_; }
  // Where each tap is, from the first element of a window.
  const std::vector<int32_t>& offsets() const { return offsets_; }

 private:
  void CopyBand(const Band& band, const float* input, float* copy) const;
  void CopyRow(int64_t n, int64_t y, int64_t count, const float* input,
               float* copy) const;

  const FewChannelsShape shape_;
  const int64_t lanes_;
  int64_t band_rows_;               // of results, in a work item
  int64_t bands_;                   // work items of an image
  int64_t copied_rows_, row_step_;  // of the copy of one channel
  std::vector<int32_t> offsets_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_FEW_CHANNELS_H_
