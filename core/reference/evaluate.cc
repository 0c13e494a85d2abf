#include "dovetail/core/reference/evaluate.h"

#include <unordered_map>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/reference/kernel_table.h"
#include "dovetail/core/reference/run_kernel.h"

namespace dovetail {
namespace {

// The tensors between the nodes of a model while it runs.
class Values {
 public:
  // `tensors` are the outputs of `node`; each is dropped when all its readers
  // have taken it.
  void Set(const Node& node, std::vector<Tensor> tensors) {
    std::vector<Slot> slots;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const size_t readers =
          static_cast<int>(i) < node.output_count()
              ? node.port(static_cast<int>(i)).uses.size()
              : 0;
      slots.push_back({std::move(tensors[i]), readers});
      if (readers == 0) slots.back().tensor = Tensor();
    }
    slots_[&node] = std::move(slots);
  }

  // The tensor that a reader gets; the last reader gets the only copy.
  absl::StatusOr<Tensor> Take(const Node& reader, int input) {
    const Value value = reader.input(input);
    const auto it = slots_.find(value.node);
    if (it == slots_.end() ||
        value.index >= static_cast<int>(it->second.size())) {
      return Internal(reader.Describe(), ": input ", input,
                      " has not been computed");
    }
    Slot& slot = it->second[value.index];
    if (slot.readers <= 1) return std::exchange(slot.tensor, Tensor());
    --slot.readers;
    return slot.tensor;
  }

 private:
  struct Slot {
    Tensor tensor;
    size_t readers;
  };
  std::unordered_map<const Node*, std::vector<Slot>> slots_;
};

absl::Status CheckInput(const Model& model, int i, const Tensor& tensor) {
  const OutputPort& port = model.parameters()[i]->port();
  const bool right_type =
      port.type == ElementType::kDynamic || port.type == tensor.type();
  if (tensor.has_data() && right_type && port.shape.Contains(tensor.shape())) {
    return absl::OkStatus();
  }
  return InvalidArgument("input ", i, " '", model.InputName(i), "' is ",
                         ElementTypeName(tensor.type()),
                         tensor.shape().ToString(), ", want ",
                         ElementTypeName(port.type), port.shape.ToString());
}

absl::Status SetInputs(const Model& model, absl::Span<const Tensor> inputs,
                       Values& values) {
  if (inputs.size() != model.parameters().size()) {
    return InvalidArgument("model '", model.name(), "' was given ",
                           inputs.size(), " inputs, want ",
                           model.parameters().size());
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        CheckInput(model, static_cast<int>(i), inputs[i]));
    values.Set(*model.parameters()[i], {inputs[i]});
  }
  return absl::OkStatus();
}

// Runs one node that is neither parameter nor result.
absl::Status Step(const Node& node, const KernelEnvironment& environment,
                  Values& values) {
  if (const auto* constant = node.As<ConstantAttributes>()) {
    values.Set(node, {constant->value});
    return absl::OkStatus();
  }
  if (environment.check_cancelled != nullptr) {
    DOVETAIL_RETURN_IF_ERROR(environment.check_cancelled());
  }
  std::vector<Tensor> inputs;
  for (int i = 0; i < node.input_count(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, values.Take(node, i));
    inputs.push_back(std::move(tensor));
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tensor> outputs,
                            EvaluateNode(node, inputs, environment));
  values.Set(node, std::move(outputs));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Tensor>> EvaluateNode(
    const Node& node, absl::Span<const Tensor> inputs,
    const KernelEnvironment& environment) {
  KernelFn kernel = nullptr;
  if (environment.find_kernel != nullptr) {
    kernel = environment.find_kernel(node.op());
  }
  if (kernel == nullptr) kernel = FindKernel(node.op());
  if (kernel == nullptr) {
    return Unimplemented(node.Describe(), ": has no reference kernel");
  }
  return RunKernel(kernel, node, inputs, environment, &EvaluateModel);
}

absl::StatusOr<std::vector<Tensor>> EvaluateModel(
    const Model& model, absl::Span<const Tensor> inputs,
    const KernelEnvironment& environment) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  Values values;
  DOVETAIL_RETURN_IF_ERROR(SetInputs(model, inputs, values));
  for (const Node* node : order) {
    if (node->Is("Parameter") || node->Is("Result")) continue;
    if (!node->is_needed()) continue;
    DOVETAIL_RETURN_IF_ERROR(Step(*node, environment, values));
  }
  std::vector<Tensor> results;
  for (const Node* result : model.results()) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, values.Take(*result, 0));
    results.push_back(std::move(tensor));
  }
  return results;
}

}  // namespace dovetail
