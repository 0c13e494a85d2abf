// Convolutions of integers by their definition.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_H_

#include "dovetail/backends/cpu/kernels/integer/direct_plan.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// Whether this processor has vectors for it.
bool HasIntegerVectors();

// For one group.
class DirectIntegerMethod : public IntegerMethod {
 public:
  DirectIntegerMethod(const IntegerConvolutionShape& shape, int threads)
      : plan_(shape, threads) {}

  absl::string_view weights_form() const override;
  int64_t weights_bytes() const override;
  void PackWeights(const int8_t* weights, void* packed) const override;
  int64_t piece_count() const override { return plan_.piece_count(); }
  int64_t scratch_bytes() const override;
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;

 private:
  const DirectPlan plan_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_H_
