// Convolutions of 8-bit integers for processors without VNNI: exact sums, by
// products of 16 bits.
//
// Data are in blocks of 8 channels, [N, C / 8, H, W, 8]; what is in padding
// channels does not matter. Zeros around the input are the number 0, which is
// the integer `zero_point`.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_CONVOLUTION_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_CONVOLUTION_H_

#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// How a convolution is computed: made once, then run by any threads.
class IntegerConvolution {
 public:
  // Whether this processor has the vectors, and the shape is one of those that
  // are computed: not with groups of several channels, and not where sums might
  // not fit 32 bits.
  static bool IsSupported(const IntegerConvolutionShape& shape);

  // weights: [outputs, inputs / groups, rows, columns], row-major; only looked
  //   at here, to choose the fastest way that is exact for them.
  // threads: how many there will be, so that there are work items for all of
  // them.
  IntegerConvolution(const IntegerConvolutionShape& shape,
                     const int8_t* weights, int threads);

  // Names the form of packed weights: of two convolutions with the same weights
  // and the same form one may use those of the other.
  absl::string_view weights_form() const { return method_->weights_form(); }
  int64_t weights_bytes() const { return method_->weights_bytes(); }
  // To `weights_bytes()` at `packed`, which is aligned to 64 bytes.
  void PackWeights(const int8_t* weights, void* packed) const {
    method_->PackWeights(weights, packed);
  }

  // Independent units of work, in an order in which neighbours share data.
  int64_t work_item_count() const { return method_->work_item_count(); }
  // What each thread needs, a multiple of 64; aligned to 64 bytes.
  int64_t scratch_bytes() const { return method_->scratch_bytes(); }
  // Computes `count` work items from number `first` on.
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const {
    method_->Run(operands, first, count, scratch);
  }

 private:
  std::unique_ptr<const IntegerMethod> method_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_CONVOLUTION_H_
