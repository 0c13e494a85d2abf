#include "dovetail/backends/cpu/steps/reference/reference_step.h"

#include <utility>
#include <vector>

#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/plan/step_label.h"
#include "dovetail/backends/common/program/body_programs.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/reference/evaluate.h"

namespace dovetail::cpu {
namespace {

// Where the kernel gets the memory of its outputs from: the plan's.
class ReferenceState : public StepState {
 public:
  // Of the context, which is the same in each run.
  const KernelEnvironment& Environment(RunEnvironment& environment,
                                       const Node& node,
                                       const std::vector<Tensor>& outputs,
                                       BodyPrograms* bodies) {
    node_ = &node;
    outputs_ = &outputs;
    if (base_ != &environment.reference()) {
      base_ = &environment.reference();
      own_ = *base_;
      if (bodies != nullptr) {
        own_.run_body = [this, bodies, run = &environment](
                            const Model& body,
                            absl::Span<const Tensor> inputs) {
          return bodies->Run(body, inputs, body_states_, *run);
        };
      }
      own_.allocate = [this](const Node& asking, int output, ElementType type,
                             const Shape& shape) -> absl::StatusOr<Tensor> {
        if (&asking == node_) {
          const Tensor& place = (*outputs_)[output];
          if (place.type() == type && place.shape() == shape) return place;
        }
        return Tensor::AllocateUninitialized(type, shape);
      };
    }
    return own_;
  }

 private:
  const KernelEnvironment* base_ = nullptr;
  KernelEnvironment own_;
  const Node* node_ = nullptr;
  const std::vector<Tensor>* outputs_ = nullptr;
  BodyPrograms::States body_states_;
};

struct Port {
  ElementType type;
  Shape shape;
};

absl::StatusOr<std::vector<Tensor>> Tensors(const std::vector<Port>& ports,
                                            absl::Span<void* const> pointers) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < ports.size(); ++i) {
    if (pointers[i] == nullptr) {
      tensors.emplace_back();
      continue;
    }
    const int64_t bytes =
        StoredBytes(ports[i].shape, {ports[i].type, Layout::kPlanar});
    DOVETAIL_ASSIGN_OR_RETURN(
        Tensor tensor, Tensor::Borrow(ports[i].type, ports[i].shape,
                                      pointers[i], bytes));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

class ReferenceStep : public Step {
 public:
  // `bodies` may be null.
  ReferenceStep(const Node& node, std::vector<Port> inputs,
                std::vector<Port> outputs, std::unique_ptr<BodyPrograms> bodies)
      : node_(node),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        bodies_(std::move(bodies)) {}

  std::unique_ptr<StepState> NewState() const override {
    return std::make_unique<ReferenceState>();
  }

  absl::Status Run(const StepRun& run) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> inputs,
                              Tensors(inputs_, run.inputs));
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> places,
                              Tensors(outputs_, run.outputs));
    auto& state = static_cast<ReferenceState&>(*run.state);
    DOVETAIL_ASSIGN_OR_RETURN(
        const std::vector<Tensor> outputs,
        EvaluateNode(node_, inputs,
                     state.Environment(*run.environment, node_, places,
                                       bodies_.get())));
    if (outputs.size() != places.size()) {
      return Internal(node_.Describe(), ": gave ", outputs.size(),
                      " outputs instead of ", places.size());
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!places[i].has_data() ||
          outputs[i].raw_data() == places[i].raw_data()) {
        continue;
      }
      const absl::Status status = places[i].CopyFrom(outputs[i]);
      if (!status.ok()) return Annotate(status, node_.Describe());
    }
    return absl::OkStatus();
  }

 private:
  const Node& node_;
  const std::vector<Port> inputs_, outputs_;
  const std::unique_ptr<BodyPrograms> bodies_;
};

std::vector<Port> InputsOf(const Node& node) {
  std::vector<Port> ports;
  for (int i = 0; i < node.input_count(); ++i) {
    const Value value = node.input(i);
    if (value) {
      ports.push_back({value.type(), PlanBuilder::ShapeOf(value)});
    } else {
      ports.push_back({ElementType::kDynamic, {}});
    }
  }
  return ports;
}

std::vector<Port> OutputsOf(const Node& node) {
  std::vector<Port> ports;
  for (int i = 0; i < node.output_count(); ++i) {
    const Value value = PlanBuilder::OutputOf(node, i);
    ports.push_back({value.type(), PlanBuilder::ShapeOf(value)});
  }
  return ports;
}

}  // namespace

absl::Status EmitReference(const Node& node, PlanBuilder& builder) {
  std::unique_ptr<BodyPrograms> bodies;
  if (!node.bodies().empty() && builder.settings().compile_body != nullptr) {
    bodies = std::make_unique<BodyPrograms>(builder.settings().compile_body);
  }
  std::vector<Operand> inputs, outputs;
  for (int i = 0; i < node.input_count(); ++i) {
    Operand operand;
    if (node.input(i)) {
      DOVETAIL_ASSIGN_OR_RETURN(operand, builder.ReadPlain(node.input(i)));
    }
    inputs.push_back(operand);
  }
  for (int i = 0; i < node.output_count(); ++i) {
    outputs.push_back(builder.WritePlain(PlanBuilder::OutputOf(node, i)));
  }
  builder.Add(node, HostKernelName(node, &FindHostKernel),
              std::make_unique<ReferenceStep>(
                  node, InputsOf(node), OutputsOf(node), std::move(bodies)),
              inputs, outputs);
  return absl::OkStatus();
}

}  // namespace dovetail::cpu
