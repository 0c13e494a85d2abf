#include "dovetail/core/reference/run_kernel.h"

#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/infer_context.h"

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

absl::Status AllocateOutputs(const std::vector<InferredOutput>& inferred,
                             KernelContext& context) {
  for (int i = 0; i < context.output_count(); ++i) {
    if (inferred[i].type == ElementType::kDynamic) continue;
    if (!inferred[i].shape.is_static()) continue;
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
                      ElementTypeName(output.type()),
                      output.shape().ToString(), " instead of ",
                      ElementTypeName(inferred[i].type),
                      inferred[i].shape.ToString());
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Tensor>> RunUncaught(
    KernelFn kernel, const Node& node, absl::Span<const Tensor> inputs,
    const KernelEnvironment& environment,
    KernelContext::EvaluateFn evaluate) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> prepared,
                            PrepareInputs(node, inputs));
  if (node.op().infer == nullptr) {
    return Unimplemented(node.Describe(), ": has no inference");
  }
  InferContext infer(node, prepared);
  DOVETAIL_RETURN_IF_ERROR(InferOutputs(infer));
  std::vector<Tensor> outputs(infer.output_count());
  KernelContext context(node, prepared, absl::MakeSpan(outputs), environment,
                        evaluate);
  DOVETAIL_RETURN_IF_ERROR(AllocateOutputs(infer.outputs(), context));
  DOVETAIL_RETURN_IF_ERROR(kernel(context));
  DOVETAIL_RETURN_IF_ERROR(CheckOutputs(node, infer.outputs(), outputs));
  return outputs;
}

}  // namespace

absl::StatusOr<std::vector<Tensor>> RunKernel(
    KernelFn kernel, const Node& node, absl::Span<const Tensor> inputs,
    const KernelEnvironment& environment,
    KernelContext::EvaluateFn evaluate) {
  try {
    return RunUncaught(kernel, node, inputs, environment, evaluate);
  } catch (const std::bad_alloc&) {
    return ResourceExhausted(node.Describe(), ": out of memory");
  } catch (const std::length_error&) {
    return ResourceExhausted(node.Describe(), ": a size is too large");
  } catch (const std::exception& e) {
    return Internal(node.Describe(), ": ", e.what());
  }
}

}  // namespace dovetail
