// Convolutions of integers of 3 x 3 windows and stride 1 with a quarter of the
// products: Winograd's algorithm F(4 x 4, 3 x 3), see convolution/winograd.h.
//
// All of it is integers modulo 2^32, and the sums that come out are exact: sums
// between may be greater than 32 bits.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_H_

#include "dovetail/backends/cpu/kernels/integer/planned_method.h"
#include "dovetail/backends/cpu/kernels/integer/winograd/winograd_weights.h"

namespace dovetail::cpu {

class WinogradIntegerMethod
    : public PlannedIntegerMethod<IntegerWinogradPlan> {
 public:
  // Whether the plan fits the shape, and the results with these weights are
  // small enough.
  static bool IsFitting(const IntegerConvolutionShape& shape,
                        const int8_t* weights);

  using PlannedIntegerMethod::PlannedIntegerMethod;

  absl::string_view weights_form() const override { return "winograd 24"; }
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_H_
