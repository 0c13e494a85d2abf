// Convolutions of integers by their definition.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_DIRECT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_DIRECT_H_

#include <string>

#include "dovetail/backends/cpu/kernels/integer/direct/direct_plan.h"
#include "dovetail/backends/cpu/kernels/integer/planned_method.h"

namespace dovetail::cpu {

// For one group.
class DirectIntegerMethod : public PlannedIntegerMethod<DirectPlan> {
 public:
  DirectIntegerMethod(const IntegerConvolutionShape& shape, int threads);

  absl::string_view weights_form() const override { return form_; }
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;

 private:
  std::string form_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_DIRECT_H_
