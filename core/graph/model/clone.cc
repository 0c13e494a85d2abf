// The part of Model that copies it.
#include <unordered_map>

#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {
namespace {

using NodeMap = std::unordered_map<const Node*, Node*>;

void CopyPorts(const Node& from, Node& to, const NodeMap& copies) {
  to.SetOutputCount(from.output_count());
  for (int i = 0; i < from.output_count(); ++i) {
    to.port(i) = from.port(i);
    for (Use& use : to.port(i).uses) use.node = copies.at(use.node);
  }
  to.rt_info() = from.rt_info();
  for (const auto& body : from.bodies()) to.bodies().push_back(body->Clone());
}

std::vector<Node*> CopyList(const std::vector<Node*>& list,
                            const NodeMap& copies) {
  std::vector<Node*> copy;
  for (const Node* node : list) copy.push_back(copies.at(node));
  return copy;
}

}  // namespace

std::unique_ptr<Model> Model::Clone() const {
  auto clone = std::make_unique<Model>(name_);
  clone->rt_info_ = rt_info_;
  clone->next_id_ = next_id_;
  clone->nodes_.reserve(nodes_.size());
  NodeMap copies;
  for (const auto& node : nodes_) {
    clone->nodes_.push_back(std::unique_ptr<Node>(new Node(
        node->op_, node->id_, node->name_, node->attributes_->Clone())));
    copies[node.get()] = clone->nodes_.back().get();
  }
  for (const auto& node : nodes_) {
    Node& copy = *copies.at(node.get());
    for (Value input : node->inputs_) {
      copy.inputs_.push_back(
          input ? Value{copies.at(input.node), input.index} : Value{});
    }
    CopyPorts(*node, copy, copies);
  }
  clone->parameters_ = CopyList(parameters_, copies);
  clone->results_ = CopyList(results_, copies);
  clone->sinks_ = CopyList(sinks_, copies);
  return clone;
}

}  // namespace dovetail
