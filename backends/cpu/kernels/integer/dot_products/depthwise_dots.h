// Depthwise convolutions of bytes with windows of up to 8 rows, channels last,
// by dot products of 16 lanes (AVX-512 with VNNI).
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DEPTHWISE_DOTS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DEPTHWISE_DOTS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_columns.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// Needs no scratch memory and takes no residual. A work item is a group of
// elements along as many rows of results as the rows of one reading make.
//
// With windows that are neighbours, a row of pixels is one row of elements,
// whose groups need not begin where a pixel does: the channels of groups repeat
// after some pixels, so that any number of channels fills vectors. With others,
// groups are of one pixel.
class DepthwiseDotsMethod : public IntegerMethod {
 public:
  // Whether this processor has the instructions, and the shape is one of those
  // that are computed: unsigned bytes, a multiple of 4 channels, each by
  // itself, 2 to 128 elements in up to 8 rows.
  static bool IsSupported(const IntegerConvolutionShape& shape);

  explicit DepthwiseDotsMethod(const IntegerConvolutionShape& shape);

  absl::string_view weights_form() const override { return "depthwise_dots"; }
  int64_t weights_bytes() const override { return groups_ * group_bytes(); }
  void PackWeights(const int8_t* weights, void* packed) const override;
  int64_t epilogue_bytes() const override {
    return groups_ * static_cast<int64_t>(sizeof(DotEpilogue));
  }
  void PackEpilogue(const IntegerEpilogue& epilogue,
                    void* packed) const override;
  int64_t work_item_count() const override {
    return shape_.batch * row_parts_ * groups_;
  }
  int64_t scratch_bytes() const override { return 0; }
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;

 private:
  // Of a group: what lies around the input, what its sums begin with, and the
  // weights for some rows of results.
  static constexpr int64_t kFillBytes = kDotGroup;
  static constexpr int64_t kSumBytes = kDotGroup * 4;
  int64_t group_bytes() const {
    return kFillBytes + kSumBytes +
           rows_of_item_ * shape_.columns.kernel * blocks_ * kDotGroup * 4;
  }

  bool are_neighbours() const { return shape_.columns.stride == 1; }
  // The channel of an element of a group.
  int64_t ChannelOf(int64_t group, int64_t i) const {
    return (group * kDotGroup + i) % shape_.outputs;
  }
  int32_t ZeroPointOf(int64_t channel) const {
    return shape_.zero_points.empty() ? shape_.zero_point
                                      : shape_.zero_points[channel];
  }
  // The element `i` of a group.
  void PackElement(const int8_t* weights, int64_t group, int64_t i,
                   char* of_group) const;
  void SetRows(const IntegerConvolutionOperands& operands, int64_t image,
               int64_t first_row, DotColumnRow& row) const;

  const IntegerConvolutionShape shape_;
  // Pixels until the channels of groups are the same again, and the groups of
  // so many.
  int64_t pixels_, groups_;
  // Dot products of a column of the window; the rows of results of a work item.
  int64_t blocks_, rows_of_item_, row_parts_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DEPTHWISE_DOTS_H_
