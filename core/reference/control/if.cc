#include "dovetail/core/reference/control/if.h"

#include <utility>
#include <vector>

#include "dovetail/core/ops/control/body_bindings.h"
#include "dovetail/core/reference/control/run_body.h"

namespace dovetail {

absl::Status IfKernel(KernelContext& context) {
  const bool condition = context.input(0).ElementAsInt64(0) != 0;
  DOVETAIL_ASSIGN_OR_RETURN(
      const Body* body, BodyOf(context.node(), condition ? 0 : 1, 2));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<ParameterSource> sources,
                            ResolveBindings(context.node(), *body));
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tensor> parameters,
                            FirstParameters(context, *body, sources));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> results,
                            RunBody(context, *body, parameters));
  for (const BodyOutput& binding : body->outputs) {
    context.SetOutput(binding.output, results[binding.result]);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
