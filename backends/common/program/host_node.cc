#include "dovetail/backends/common/program/host_node.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/reference/evaluate.h"

namespace dovetail {

// Where the kernel gets the memory of its outputs from: the device's.
class HostNode::State {
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

HostNode::Port HostNode::PortOf(Value value) {
  if (!value) return {};
  return {value.type(), value.shape().ToShape().value_or(Shape())};
}

HostNode::HostNode(const Node& node, const CompileBodyFn& compile_body)
    : node_(node) {
  for (const Value input : node.inputs()) inputs_.push_back(PortOf(input));
  for (int i = 0; i < node.output_count(); ++i) {
    outputs_.push_back(PortOf({const_cast<Node*>(&node), i}));
  }
  if (!node.bodies().empty() && compile_body != nullptr) {
    bodies_ = std::make_unique<BodyPrograms>(compile_body);
  }
}

HostNode::~HostNode() = default;

std::shared_ptr<HostNode::State> HostNode::NewState() const {
  return std::make_shared<State>();
}

absl::StatusOr<std::vector<Tensor>> HostNode::Tensors(
    const std::vector<Port>& ports, absl::Span<void* const> pointers) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < ports.size(); ++i) {
    if (pointers[i] == nullptr) {
      tensors.emplace_back();
      continue;
    }
    const Port& port = ports[i];
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes,
                              ByteSize(port.type, port.shape.Count()));
    DOVETAIL_ASSIGN_OR_RETURN(
        Tensor tensor,
        Tensor::Borrow(port.type, port.shape, pointers[i], bytes));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

absl::Status HostNode::Run(absl::Span<void* const> inputs,
                           absl::Span<void* const> outputs, State& state,
                           RunEnvironment& environment) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> arguments,
                            Tensors(inputs_, inputs));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> places,
                            Tensors(outputs_, outputs));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> results,
      EvaluateNode(
          node_, arguments,
          state.Environment(environment, node_, places, bodies_.get())));
  if (results.size() != places.size()) {
    return Internal(node_.Describe(), ": gave ", results.size(),
                    " outputs instead of ", places.size());
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (!places[i].has_data() ||
        results[i].raw_data() == places[i].raw_data()) {
      continue;
    }
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(places[i].CopyFrom(results[i]), node_.Describe()));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
