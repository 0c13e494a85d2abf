// Convolutions of integers in groups of several channels.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_GROUPED_METHOD_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_GROUPED_METHOD_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// Computes each group as a convolution of its own, by a method of dense ones.
// Two groups that are no whole blocks of channels are one, with weights of 0
// between them.
class GroupedIntegerMethod : public IntegerMethod {
 public:
  // Whether groups, or pairs of them, are of whole blocks of channels.
  static bool IsFitting(const IntegerConvolutionShape& shape);

  GroupedIntegerMethod(const IntegerConvolutionShape& shape,
                       const int8_t* weights, int threads,
                       const MakeIntegerMethod& make);

  absl::string_view weights_form() const override {
    return method_->weights_form();
  }
  int64_t weights_bytes() const override {
    return count_ * group_weights_bytes();
  }
  void PackWeights(const int8_t* weights, void* packed) const override;
  int64_t work_item_count() const override {
    return shape_.batch * count_ * method_->work_item_count();
  }
  int64_t scratch_bytes() const override { return method_->scratch_bytes(); }
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;

 private:
  int64_t group_weights_bytes() const;
  std::vector<int8_t> DenseWeights(const int8_t* weights, int64_t group) const;
  IntegerConvolutionOperands OperandsOf(
      const IntegerConvolutionOperands& operands, int64_t image,
      int64_t group) const;

  const IntegerConvolutionShape shape_;
  const int64_t together_;  // groups that are one
  const int64_t count_;     // of those
  const IntegerConvolutionShape group_;
  std::unique_ptr<const IntegerMethod> method_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_GROUPED_METHOD_H_
