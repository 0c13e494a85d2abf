// Convolutions of integers of 3 x 3 windows and stride 1 with a quarter of the
// products: Winograd's algorithm F(4 x 4, 3 x 3), see convolution/winograd.h.
//
// What is transformed and multiplied are integers, whose sums are exact; only
// the transformation back is in f32, as the numbers that follow are.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_H_

#include "dovetail/backends/cpu/kernels/integer/planned_method.h"
#include "dovetail/backends/cpu/kernels/integer/winograd/winograd_weights.h"

namespace dovetail::cpu {

class WinogradIntegerMethod
    : public PlannedIntegerMethod<IntegerWinogradPlan> {
 public:
  // Whether the plan fits the shape, and no sum of products with these weights
  // is beyond 32 bits.
  static bool IsFitting(const IntegerConvolutionShape& shape,
                        const int8_t* weights);

  using PlannedIntegerMethod::PlannedIntegerMethod;

  absl::string_view weights_form() const override { return "winograd"; }
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_H_
