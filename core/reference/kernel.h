// Reference kernels: the definition, in plain code, of what an operation
// computes.
#ifndef DOVETAIL_CORE_REFERENCE_KERNEL_H_
#define DOVETAIL_CORE_REFERENCE_KERNEL_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// The values of a model's variables (ReadValue, Assign) between inferences, by
// variable id. A variable that is not in it reads as its initial value.
using VariableValues = std::map<std::string, Tensor>;

class KernelContext;

// A device's own kernel of an operation; null where it has none.
using FindKernelFn = KernelFn (*)(const OpInfo& op);

// What all kernels of one inference share.
struct KernelEnvironment {
  // Kernels that a device has in place of those of the table, which are plain;
  // null, and where it gives null: the table's.
  FindKernelFn find_kernel = nullptr;
  // Runs the parts of parallel loops; null: everything in the calling thread.
  Executor* executor = nullptr;
  // Null: ReadValue and Assign answer kFailedPrecondition.
  VariableValues* variables = nullptr;
  // Where output memory comes from; null: Tensor::AllocateUninitialized.
  std::function<absl::StatusOr<Tensor>(const Node& node, int output,
                                       ElementType type, const Shape& shape)>
      allocate;
  // Asked between nodes of a body, so that a long loop can be cancelled; null:
  // never.
  std::function<absl::Status()> check_cancelled;
  // Runs a body of the node at hand, for backends that have something faster
  // than EvaluateModel; null: that one does.
  std::function<absl::StatusOr<std::vector<Tensor>>(
      const Model& body, absl::Span<const Tensor> inputs)>
      run_body;
};

// Inputs are contiguous tensors of the types and shapes that inference has
// accepted. Outputs whose shape follows from that are allocated already, with
// undefined contents; the others the kernel allocates or sets.
class KernelContext {
 public:
  // Runs a model; EvaluateModel is one. Handed in, because it depends on every
  // kernel, and the kernels that need it cannot depend on it.
  using EvaluateFn = absl::StatusOr<std::vector<Tensor>> (*)(
      const Model& model, absl::Span<const Tensor> inputs,
      const KernelEnvironment& environment);

  KernelContext(const Node& node, absl::Span<const Tensor> inputs,
                absl::Span<Tensor> outputs,
                const KernelEnvironment& environment,
                EvaluateFn evaluate = nullptr)
      : node_(node),
        inputs_(inputs),
        outputs_(outputs),
        environment_(environment),
        evaluate_(evaluate) {}

  const Node& node() const { return node_; }
  template <typename T>
  const T& attributes() const {
    return *node_.As<T>();
  }

  int input_count() const { return static_cast<int>(inputs_.size()); }
  bool has_input(int i) const { return i < input_count(); }
  const Tensor& input(int i) const { return inputs_[i]; }
  absl::Span<const Tensor> inputs() const { return inputs_; }

  int output_count() const { return static_cast<int>(outputs_.size()); }
  Tensor& output(int i) const { return outputs_[i]; }
  // Gives output `i`, whose shape depends on data, its memory.
  absl::Status AllocateOutput(int i, ElementType type, const Shape& shape);
  // Makes output `i` another view, such as an input's memory in a new shape.
  void SetOutput(int i, Tensor tensor) { outputs_[i] = std::move(tensor); }

  const KernelEnvironment& environment() const { return environment_; }
  // The executor for ParallelFor.
  Executor& executor() const;

  // The results of a body of this node, one tensor a result, for one tensor a
  // parameter.
  absl::StatusOr<std::vector<Tensor>> EvaluateBody(
      const Model& body, absl::Span<const Tensor> inputs) const;

  // kInvalidArgument that begins with the node's description: the inputs'
  // values are wrong.
  template <typename... Parts>
  absl::Status Error(const Parts&... parts) const {
    return InvalidArgument(node_.Describe(), ": ", parts...);
  }
  // kUnimplemented, for a type or mode that the kernel lacks.
  template <typename... Parts>
  absl::Status Unsupported(const Parts&... parts) const {
    return Unimplemented(node_.Describe(), ": ", parts...);
  }

 private:
  const Node& node_;
  absl::Span<const Tensor> inputs_;
  absl::Span<Tensor> outputs_;
  const KernelEnvironment& environment_;
  EvaluateFn evaluate_;
};

// A row of the table of kernels.
struct KernelRow {
  absl::string_view type;
  int version;
  KernelFn kernel;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_KERNEL_H_
