// Convolutions of 8-bit integers for processors without VNNI: exact sums, by
// products of 16 bits.
//
// Data are in blocks of 8 channels, [N, C / 8, H, W, 8], of volumes [N, C / 8,
// D, H, W, 8]; what is in padding channels does not matter. Zeros around the
// input are the number 0, which is the integer `zero_point`.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_CONVOLUTION_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_CONVOLUTION_H_

#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// How a convolution is computed: made once, then run by any threads.
class IntegerConvolution : public IntegerMethod {
 public:
  // Whether this processor has the vectors, and the shape is one of those that
  // are computed: dense, or of pictures with each channel by itself or with
  // groups that GroupedIntegerMethod takes, and not where sums might not fit 32
  // bits.
  static bool IsSupported(const IntegerConvolutionShape& shape);

  // weights: [outputs, inputs / groups, planes, rows, columns], row-major; only
  //   looked at here, to choose the fastest way that is exact for them.
  // threads: how many there will be, so that there are work items for all of
  // them.
  IntegerConvolution(const IntegerConvolutionShape& shape,
                     const int8_t* weights, int threads);

  // Of two convolutions with the same weights and the same form one may use the
  // packed weights of the other.
  absl::string_view weights_form() const override {
    return method_->weights_form();
  }
  int64_t weights_bytes() const override { return method_->weights_bytes(); }
  void PackWeights(const int8_t* weights, void* packed) const override {
    method_->PackWeights(weights, packed);
  }
  int64_t work_item_count() const override {
    return method_->work_item_count();
  }
  int64_t scratch_bytes() const override { return method_->scratch_bytes(); }
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override {
    method_->Run(operands, first, count, scratch);
  }

 private:
  std::unique_ptr<const IntegerMethod> method_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_CONVOLUTION_H_
