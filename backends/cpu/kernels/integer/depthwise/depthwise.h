// Convolutions of integers, of each channel by itself.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DEPTHWISE_DEPTHWISE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DEPTHWISE_DEPTHWISE_H_

#include "dovetail/backends/cpu/kernels/integer/depthwise/depthwise_plan.h"
#include "dovetail/backends/cpu/kernels/integer/planned_method.h"

namespace dovetail::cpu {

class DepthwiseIntegerMethod
    : public PlannedIntegerMethod<IntegerDepthwisePlan> {
 public:
  using PlannedIntegerMethod::PlannedIntegerMethod;

  absl::string_view weights_form() const override { return "pairs of rows"; }
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DEPTHWISE_DEPTHWISE_H_
