#include "dovetail/core/ops/control/if.h"

#include <optional>
#include <vector>

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/control/body_bindings.h"

namespace dovetail {
namespace {

// A branch runs once and knows nothing of iterations.
absl::Status CheckBranch(const InferContext& context, int index) {
  DOVETAIL_ASSIGN_OR_RETURN(const Body* body,
                            BodyOf(context.node(), index, 2));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<ParameterSource> sources,
                            ResolveBindings(context.node(), *body));
  for (const ParameterSource& source : sources) {
    if (!source.is_sliced() && !source.is_iteration &&
        source.back_edge_result < 0) {
      continue;
    }
    return context.Error("body ", index, " is bound like that of a loop");
  }
  for (const BodyOutput& binding : body->outputs) {
    if (!binding.slicing.has_value()) continue;
    return context.Error("body ", index, " joins parts to an output");
  }
  return absl::OkStatus();
}

// One element. That it has none counts only when it is run: exported models
// have such branches where their example input was empty.
absl::Status CheckCondition(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireBoolean(context, 0));
  const bool running = context.mutable_bodies() == nullptr;
  if (!running && context.shape(0).ElementCount() == Dimension(0)) {
    return absl::OkStatus();
  }
  return RequireSingleElement(context, 0);
}

absl::Status InferBranch(InferContext& context, Body& body) {
  for (const BodyInput& binding : body.inputs) {
    DOVETAIL_RETURN_IF_ERROR(DeclareParameter(
        *body.model->parameters()[binding.parameter],
        context.type(binding.input), context.shape(binding.input)));
  }
  return body.model->Infer();
}

// What both branches say of an output.
absl::Status MergeBranch(const InferContext& context, int output,
                         const OutputPort& port, InferredOutput& merged) {
  if (merged.type != port.type && merged.type != ElementType::kDynamic &&
      port.type != ElementType::kDynamic) {
    return context.Error("output ", output, " is ",
                         ElementTypeName(merged.type), " from the then-body, ",
                         ElementTypeName(port.type), " from the else-body");
  }
  if (port.type == ElementType::kDynamic) merged.type = port.type;
  merged.shape = Union(merged.shape, port.shape);
  return absl::OkStatus();
}

absl::Status InferBranches(InferContext& context,
                           std::optional<int64_t> condition) {
  bool first = true;
  for (int i = 0; i < 2; ++i) {
    Body& body = *(*context.mutable_bodies())[i];
    const bool chosen =
        !condition.has_value() || (*condition != 0) == (i == 0);
    const absl::Status status = InferBranch(context, body);
    if (!chosen) continue;
    DOVETAIL_RETURN_IF_ERROR(status);
    for (const BodyOutput& binding : body.outputs) {
      const OutputPort& port = ResultPort(body, binding.result);
      if (first) {
        context.SetOutput(binding.output, port.type, port.shape);
      } else {
        DOVETAIL_RETURN_IF_ERROR(MergeBranch(
            context, binding.output, port, context.outputs()[binding.output]));
      }
    }
    first = false;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status InferIf(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckCondition(context));
  DOVETAIL_RETURN_IF_ERROR(CheckBranch(context, 0));
  DOVETAIL_RETURN_IF_ERROR(CheckBranch(context, 1));
  const auto& bodies = context.node().bodies();
  const size_t count = bodies[0]->outputs.size();
  if (bodies[1]->outputs.size() != count) {
    return context.Error("the then-body has ", count,
                         " outputs, the else-body ",
                         bodies[1]->outputs.size());
  }
  context.SetOutputCount(static_cast<int>(count));
  // While running, the body that is chosen decides.
  if (context.mutable_bodies() == nullptr) return absl::OkStatus();
  return InferBranches(context, context.scalar_int(0));
}

}  // namespace dovetail
