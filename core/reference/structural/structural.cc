#include "dovetail/core/reference/structural/structural.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail {

absl::Status ParameterKernel(KernelContext& context) {
  return FailedPrecondition(context.node().Describe(),
                            ": the parameter was not given a value");
}

absl::Status ConstantKernel(KernelContext& context) {
  context.SetOutput(0, context.attributes<ConstantAttributes>().value);
  return absl::OkStatus();
}

absl::Status ResultKernel(KernelContext&) { return absl::OkStatus(); }

absl::Status IdentityKernel(KernelContext& context) {
  context.SetOutput(0, context.input(0));
  return absl::OkStatus();
}

}  // namespace dovetail
