// Convolutions of bytes that read planar tensors of few channels, such as
// images, by dot products of vectors of 16 (AVX-512 with VNNI); results are
// channels last.
//
// A pixel becomes four bytes, its channels and zeros, or one byte where there is
// one channel: then each dot product takes a tap of all channels, or four taps of
// the one.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_FEW_CHANNELS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_FEW_CHANNELS_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_epilogue.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_weights.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/join_channels.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// Takes no residual. A work item is some rows of an image's results.
class FewChannelsIntegerMethod : public IntegerMethod {
 public:
  // Whether this processor has the instructions, and the shape is one of those
  // that are computed: up to 4 channels, in one group.
  static bool IsSupported(const IntegerConvolutionShape& shape);

  // threads: how many there will be, so that there are work items for all of
  // them. With a quantization the input is of f32, and that makes the bytes of
  // it that are multiplied, which have the shape's type.
  FewChannelsIntegerMethod(
      const IntegerConvolutionShape& shape, int threads,
      const std::optional<ByteQuantization>& quantization = std::nullopt);

  absl::string_view weights_form() const override { return "few_channels"; }
  int64_t weights_bytes() const override { return weights_.bytes(); }
  void PackWeights(const int8_t* weights, void* packed) const override;
  int64_t epilogue_bytes() const override {
    return weights_.groups() * static_cast<int64_t>(sizeof(DotEpilogue));
  }
  void PackEpilogue(const IntegerEpilogue& epilogue,
                    void* packed) const override {
    PackDotEpilogues(epilogue, shape_.outputs, packed);
  }
  int64_t work_item_count() const override { return shape_.batch * bands_; }
  int64_t scratch_bytes() const override;
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;

 private:
  // Rows [first, first + rows) of the results of image n.
  struct Band {
    int64_t n, first, rows;
  };
  Band BandOf(int64_t item) const;
  void CopyBand(const Band& band, const void* input, uint8_t* copy) const;
  // The row whose first element is number `at` of the input.
  void CopyRow(const void* input, int64_t at, uint8_t* to) const;
  void CopyBytes(const PlanarPixels<uint8_t>& row, uint8_t* to) const;
  void RunBand(const Band& band, const IntegerConvolutionOperands& operands,
               const uint8_t* copy) const;

  // What signed bytes are changed by to be unsigned ones, 128 greater.
  uint8_t flip() const {
    return shape_.input_type == ElementType::kI8 ? 0x80 : 0;
  }
  uint8_t zero() const {
    return static_cast<uint8_t>(shape_.zero_point) ^ flip();
  }

  const IntegerConvolutionShape shape_;
  const std::optional<ByteQuantization> quantization_;
  // Bytes of a pixel of the copy, and from a row of it to the next.
  const int64_t pixel_, row_step_;
  const int64_t row_products_;  // of a row of taps
  const DotWeights weights_;
  int64_t band_rows_, bands_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_FEW_CHANNELS_H_
