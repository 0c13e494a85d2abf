// Convolutions of integers of 3 x 3 windows and stride 1 with a quarter of the
// products: Winograd's algorithm F(4 x 4, 3 x 3), see convolution/winograd.h.
//
// What is transformed and multiplied are integers, whose sums are exact; only
// the transformation back is in f32, as the numbers that follow are.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_WINOGRAD_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_WINOGRAD_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/winograd_tiles.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// How tiles are cut into pieces.
struct IntegerWinogradPlan {
  IntegerWinogradPlan(const IntegerConvolutionShape& of, int threads);

  int64_t panels() const { return (output_blocks + 1) / 2; }
  // Transformed weights of a panel of 16 outputs.
  int64_t panel_elements() const {
    return kWinogradPoints * kWinogradPoints * input_blocks * 8 * 16;
  }

  WinogradShape shape;
  ElementType input_type;
  int32_t zero_point;
  int64_t input_blocks, output_blocks;  // of 8 channels
  int64_t tiles, piece_tiles;
  int64_t panel_groups, group_panels;
};

class WinogradIntegerMethod : public IntegerMethod {
 public:
  // Whether the shape is one of those, no sum of products with these weights
  // is beyond 32 bits, and it is faster than the direct method.
  static bool IsFitting(const IntegerConvolutionShape& shape,
                        const int8_t* weights);

  WinogradIntegerMethod(const IntegerConvolutionShape& shape, int threads)
      : plan_(shape, threads) {}

  absl::string_view weights_form() const override { return "winograd"; }
  int64_t weights_bytes() const override;
  // To [panel][spot][pair of inputs][output][2], where a panel has 16 outputs,
  // the last one perhaps 8.
  void PackWeights(const int8_t* weights, void* packed) const override;
  int64_t piece_count() const override;
  int64_t scratch_bytes() const override;
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;

 private:
  const IntegerWinogradPlan plan_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_WINOGRAD_H_
