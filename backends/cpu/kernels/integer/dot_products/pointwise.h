// Convolutions of bytes with windows of one pixel, channels last, by dot products
// of 16 lanes (AVX-512 with VNNI).
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_POINTWISE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_POINTWISE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_epilogue.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_weights.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// Needs no scratch memory. A work item is some pixels of a group of channels.
class PointwiseIntegerMethod : public IntegerMethod {
 public:
  // Whether this processor has the instructions, and the shape is one of those
  // that are computed: a window of one pixel for each pixel, unsigned bytes, a
  // multiple of 4 channels, in one group.
  static bool IsSupported(const IntegerConvolutionShape& shape);

  // threads: how many there will be, so that there are work items for all of
  // them.
  PointwiseIntegerMethod(const IntegerConvolutionShape& shape, int threads);

  absl::string_view weights_form() const override { return "pointwise"; }
  int64_t weights_bytes() const override { return weights_.bytes(); }
  void PackWeights(const int8_t* weights, void* packed) const override;
  int64_t epilogue_bytes() const override {
    return weights_.groups() * static_cast<int64_t>(sizeof(DotEpilogue));
  }
  void PackEpilogue(const IntegerEpilogue& epilogue,
                    void* packed) const override {
    PackDotEpilogues(epilogue, shape_.outputs, packed);
  }
  int64_t work_item_count() const override {
    return parts_ * weights_.groups();
  }
  int64_t scratch_bytes() const override { return 0; }
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;

 private:
  int64_t pixels() const {
    return shape_.batch * shape_.rows.output * shape_.columns.output;
  }

  const IntegerConvolutionShape shape_;
  const DotWeights weights_;
  int64_t part_pixels_, parts_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_POINTWISE_H_
