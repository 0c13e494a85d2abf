#include "dovetail/core/reference/run_kernel.h"

#include <utility>

#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/reference/wide_types.h"

namespace dovetail {
namespace {

// The inputs as kernels want them: there, and contiguous.
absl::StatusOr<std::vector<Tensor>> PrepareInputs(
    const Node& node, absl::Span<const Tensor> inputs) {
  const Arity arity = node.op().inputs;
  if (!arity.Contains(static_cast<int>(inputs.size()))) {
    return InvalidArgument(node.Describe(), ": has ", inputs.size(),
                           " inputs, want ", arity.min, " to ", arity.max);
  }
  std::vector<Tensor> prepared(inputs.begin(), inputs.end());
  for (size_t i = 0; i < prepared.size(); ++i) {
    if (!prepared[i].has_data()) {
      return FailedPrecondition(node.Describe(), ": input ", i,
                                " has no tensor");
    }
    if (prepared[i].is_contiguous()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(prepared[i], prepared[i].Clone());
  }
  return prepared;
}

// Whether the kernel is to find the type and shape of an output by itself, as
// inference, although it knows all inputs, has not. Else their values make a
// shape that no tensor has, and the kernel counts on memory that is not there.
absl::Status CheckOpen(const KernelContext& context, int i,
                       const InferredOutput& inferred) {
  if (context.node().op().Has(kDataDependentShape)) return absl::OkStatus();
  return context.Error(
      "the inputs make output ", i, " ", ElementTypeName(inferred.type),
      inferred.shape.ToString(), ", which is nothing that a tensor can be");
}

absl::Status AllocateOutputs(const std::vector<InferredOutput>& inferred,
                             KernelContext& context) {
  for (int i = 0; i < context.output_count(); ++i) {
    const bool known = inferred[i].type != ElementType::kDynamic &&
                       inferred[i].shape.is_static();
    if (!known) {
      DOVETAIL_RETURN_IF_ERROR(CheckOpen(context, i, inferred[i]));
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape, inferred[i].shape.ToShape());
    DOVETAIL_RETURN_IF_ERROR(
        context.AllocateOutput(i, inferred[i].type, shape));
  }
  return absl::OkStatus();
}

// Whether the kernel has given what inference promised.
absl::Status CheckOutputs(const Node& node,
                          const std::vector<InferredOutput>& inferred,
                          const std::vector<Tensor>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& output = outputs[i];
    if (!output.has_data()) {
      return Internal(node.Describe(), ": the kernel left output ", i,
                      " unset");
    }
    const bool right_type = inferred[i].type == ElementType::kDynamic ||
                            inferred[i].type == output.type();
    if (!right_type || !inferred[i].shape.Contains(output.shape())) {
      return Internal(node.Describe(), ": the kernel gave output ", i, " as ",
                      ElementTypeName(output.type()), output.shape().ToString(),
                      " instead of ", ElementTypeName(inferred[i].type),
                      inferred[i].shape.ToString());
    }
  }
  return absl::OkStatus();
}

using Tensors = absl::StatusOr<std::vector<Tensor>>;

// What running one kernel takes, whatever the inputs.
struct Call {
  KernelFn kernel;
  const Node& node;
  const KernelEnvironment& environment;
  KernelContext::EvaluateFn evaluate;
};

// `infer` has inferred from these inputs.
Tensors RunInferred(const Call& call, absl::Span<const Tensor> inputs,
                    InferContext& infer) {
  std::vector<Tensor> outputs(infer.output_count());
  KernelContext context(call.node, inputs, absl::MakeSpan(outputs),
                        call.environment, call.evaluate);
  DOVETAIL_RETURN_IF_ERROR(AllocateOutputs(infer.outputs(), context));
  DOVETAIL_RETURN_IF_ERROR(call.kernel(context));
  DOVETAIL_RETURN_IF_ERROR(CheckOutputs(call.node, infer.outputs(), outputs));
  return outputs;
}

// Runs the kernel on inputs of other types than the node's. Where inference
// refuses them, the answer is still that there is no kernel.
Tensors RunAs(const Call& call, absl::Span<const Tensor> inputs,
              const std::vector<InferredOutput>& inferred,
              const absl::Status& lacks) {
  InferContext infer(call.node, inputs);
  if (!InferOutputs(infer).ok()) return lacks;
  // Types of outputs that no input has: attributes tell of them.
  if (call.node.op().types.input == OpTypes::kOutput) {
    for (InferredOutput& output : infer.outputs()) {
      output.type = WiderType(output.type);
    }
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tensor> outputs,
                            RunInferred(call, inputs, infer));
  DOVETAIL_RETURN_IF_ERROR(NarrowOutputs(inferred, outputs));
  return outputs;
}

// A kernel that `lacks` the types at hand runs in others that hold them.
Tensors RunWide(const Call& call, absl::Span<const Tensor> inputs,
                const std::vector<InferredOutput>& inferred,
                const absl::Status& lacks) {
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tensor> wide,
                            WithTypes(inputs, &WiderType));
  Tensors outputs = RunAs(call, wide, inferred, lacks);
  const int data = call.node.op().types.input;
  if (!absl::IsUnimplemented(outputs.status()) || data < 0 ||
      data >= static_cast<int>(wide.size())) {
    return outputs;
  }
  // Floats, if there is no kernel for integers: together with what has the
  // data's type, or, where this may be axes of the same type, the data alone.
  const ElementType type = wide[data].type();
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> floats,
                            WithTypes(wide, &FloatFor, type));
  outputs = RunAs(call, floats, inferred, lacks);
  if (!absl::IsUnimplemented(outputs.status())) return outputs;
  wide[data] = floats[data];
  return RunAs(call, wide, inferred, lacks);
}

Tensors RunUncaught(const Call& call, absl::Span<const Tensor> inputs) {
  const Node& node = call.node;
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> prepared,
                            PrepareInputs(node, inputs));
  if (node.op().infer == nullptr) {
    return Unimplemented(node.Describe(), ": has no inference");
  }
  InferContext infer(node, prepared);
  DOVETAIL_RETURN_IF_ERROR(InferOutputs(infer));
  Tensors outputs = RunInferred(call, prepared, infer);
  // What a body lacks is not its owner's lack.
  if (!absl::IsUnimplemented(outputs.status()) || node.op().Has(kHasBodies)) {
    return outputs;
  }
  // Memory that is meant for the outputs is of their types.
  KernelEnvironment environment = call.environment;
  environment.allocate = nullptr;
  return RunWide({call.kernel, node, environment, call.evaluate}, prepared,
                 infer.outputs(), outputs.status());
}

}  // namespace

absl::StatusOr<std::vector<Tensor>> RunKernel(
    KernelFn kernel, const Node& node, absl::Span<const Tensor> inputs,
    const KernelEnvironment& environment, KernelContext::EvaluateFn evaluate) {
  return CatchExceptions(
      [&] { return node.Describe(); },
      [&] {
        return RunUncaught({kernel, node, environment, evaluate}, inputs);
      });
}

}  // namespace dovetail
