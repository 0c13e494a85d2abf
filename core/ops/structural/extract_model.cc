#include "dovetail/core/ops/structural/extract_model.h"

#include <map>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/structural/known_tensor.h"
#include "dovetail/core/ops/structural/structural.h"

namespace dovetail {
namespace {

class Extractor {
 public:
  explicit Extractor(const Model& from)
      : to_(std::make_unique<Model>(from.name())) {}

  absl::Status AddInput(Value value) {
    DOVETAIL_ASSIGN_OR_RETURN(
        Node * parameter,
        AddParameter(*to_, value.type(), value.shape(), value.node->name()));
    parameter->port().names = value.port().names;
    copies_[value] = parameter->output();
    return absl::OkStatus();
  }

  absl::Status AddNode(const Node& node) {
    std::vector<Value> inputs;
    for (Value input : node.inputs()) {
      if (!input) {
        inputs.push_back(input);
        continue;
      }
      DOVETAIL_ASSIGN_OR_RETURN(const Value copy, CopyOf(input));
      inputs.push_back(copy);
    }
    Node& copy = AddCopy(*to_, node, inputs);
    for (int i = 0; i < node.output_count(); ++i) {
      copies_[Value{const_cast<Node*>(&node), i}] = copy.output(i);
    }
    return absl::OkStatus();
  }

  absl::Status AddOutput(Value value) {
    DOVETAIL_ASSIGN_OR_RETURN(const Value copy, CopyOf(value));
    return AddResult(*to_, copy).status();
  }

  std::unique_ptr<Model> Take() { return std::move(to_); }

 private:
  absl::StatusOr<Value> CopyOf(Value value) {
    const auto it = copies_.find(value);
    if (it != copies_.end()) return it->second;
    const auto* constant = value.node->As<ConstantAttributes>();
    if (constant == nullptr) {
      if (auto known = KnownIntegerTensor(value.port())) {
        return AddKnown(value, *std::move(known));
      }
      return Internal(value.node->Describe(), ": is not in the part of '",
                      to_->name(), "' that needs it");
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        Node * copy, AddConstant(*to_, constant->value, value.node->name()));
    copy->rt_info() = value.node->rt_info();
    return copies_[value] = copy->output();
  }

  absl::StatusOr<Value> AddKnown(Value value, Tensor tensor) {
    DOVETAIL_ASSIGN_OR_RETURN(
        Node * constant,
        AddConstant(*to_, std::move(tensor), value.node->name()));
    constant->port().names = value.port().names;
    return copies_[value] = constant->output();
  }

  std::unique_ptr<Model> to_;
  std::map<Value, Value> copies_;
};

}  // namespace

Node& AddCopy(Model& model, const Node& node, absl::Span<const Value> inputs) {
  Node& copy = *model.AddUninferred(node.op(), inputs,
                                    node.attributes().Clone(), node.name());
  copy.rt_info() = node.rt_info();
  for (const auto& body : node.bodies()) copy.bodies().push_back(body->Clone());
  copy.SetOutputCount(node.output_count());
  for (int i = 0; i < node.output_count(); ++i) {
    copy.port(i) = node.port(i);
    copy.port(i).uses.clear();
  }
  return copy;
}

absl::StatusOr<std::unique_ptr<Model>> ExtractModel(
    const Model& model, const std::vector<Value>& inputs,
    const std::vector<const Node*>& nodes, const std::vector<Value>& outputs) {
  Extractor extractor(model);
  for (Value input : inputs) {
    DOVETAIL_RETURN_IF_ERROR(extractor.AddInput(input));
  }
  for (const Node* node : nodes) {
    DOVETAIL_RETURN_IF_ERROR(extractor.AddNode(*node));
  }
  for (Value output : outputs) {
    DOVETAIL_RETURN_IF_ERROR(extractor.AddOutput(output));
  }
  return extractor.Take();
}

}  // namespace dovetail
