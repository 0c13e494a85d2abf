// Convolutions of integers by their definition.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_H_

#include "dovetail/backends/cpu/kernels/integer/direct_plan.h"
#include "dovetail/backends/cpu/kernels/integer/planned_method.h"

namespace dovetail::cpu {

// For one group.
class DirectIntegerMethod : public PlannedIntegerMethod<DirectPlan> {
 public:
  using PlannedIntegerMethod::PlannedIntegerMethod;

  absl::string_view weights_form() const override;
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_H_
