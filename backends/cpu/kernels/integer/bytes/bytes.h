// Convolutions of integers by their definition, which multiply bytes where that
// is exact.
//
// Instructions that multiply bytes add products in twos to 16 bits, which they
// limit; adding two of these sums before they are widened saves one of four
// multiplications. With most weights of trained networks no such sum reaches
// beyond 16 bits, and with others data would have to be greater than they
// mostly are. So each block of channels of a tile is stored as differences from
// its least number, and the greatest of them is compared with what the weights
// allow: runs that might be inexact are multiplied in 16 bits.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_BYTES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_BYTES_H_

#include <string>

#include "dovetail/backends/cpu/kernels/integer/bytes/byte_weights.h"
#include "dovetail/backends/cpu/kernels/integer/direct/direct_plan.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// For one group.
class ByteIntegerMethod : public IntegerMethod {
 public:
  // Whether it is faster than DirectIntegerMethod.
  static bool IsFitting(const IntegerConvolutionShape& shape,
                        const int8_t* weights);

  ByteIntegerMethod(const IntegerConvolutionShape& shape, int threads);

  absl::string_view weights_form() const override { return form_; }
  int64_t weights_bytes() const override { return weights_.size; }
  void PackWeights(const int8_t* weights, void* packed) const override {
    PackByteWeights(plan_, weights, packed);
  }
  int64_t work_item_count() const override { return plan_.work_item_count(); }
  int64_t scratch_bytes() const override;
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;

 private:
  const DirectPlan plan_;
  const ByteWeights weights_;
  std::string form_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_BYTES_H_
