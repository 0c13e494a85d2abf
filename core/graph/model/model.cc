#include "dovetail/core/graph/model.h"

#include <algorithm>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/text.h"

namespace dovetail {
namespace {

// Nodes are kept in order of their ids. Another model's nodes have the same
// ids, so it is the address that decides.
bool Owns(const std::vector<std::unique_ptr<Node>>& nodes, const Node* node) {
  if (node == nullptr) return false;
  const auto found = std::lower_bound(
      nodes.begin(), nodes.end(), node->id(),
      [](const auto& candidate, int64_t id) { return candidate->id() < id; });
  return found != nodes.end() && found->get() == node;
}

absl::Status CheckInputs(const std::vector<std::unique_ptr<Node>>& nodes,
                         const OpInfo& op, absl::Span<const Value> inputs,
                         absl::string_view name) {
  const std::string what =
      absl::StrCat("layer '", name, "' (", op.ToString(), ")");
  if (!op.inputs.Contains(static_cast<int>(inputs.size()))) {
    return InvalidArgument(what, ": has ", inputs.size(), " inputs, takes ",
                           op.inputs.min, " to ", op.inputs.max);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!Owns(nodes, inputs[i].node)) {
      return InvalidArgument(what, ": input ", i, " is of another model");
    }
    if (inputs[i].index < 0 ||
        inputs[i].index >= inputs[i].node->output_count()) {
      return InvalidArgument(what, ": input ", i, " is output ",
                             inputs[i].index, " of ",
                             inputs[i].node->Describe(), ", which has ",
                             inputs[i].node->output_count());
    }
  }
  return absl::OkStatus();
}

}  // namespace

Model::Model(absl::string_view name) : name_(name) {}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

absl::StatusOr<Node*> Model::Add(const OpInfo& op,
                                 absl::Span<const Value> inputs,
                                 std::unique_ptr<Attributes> attributes,
                                 absl::string_view name) {
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(nodes_, op, inputs, name));
  Node* node = AddUninferred(op, inputs, std::move(attributes), name);
  if (absl::Status status = node->Infer(); !status.ok()) {
    RemoveNode(node);
    return status;
  }
  return node;
}

Node* Model::AddUninferred(const OpInfo& op, absl::Span<const Value> inputs,
                           std::unique_ptr<Attributes> attributes,
                           absl::string_view name) {
  const int64_t id = next_id_++;
  if (attributes == nullptr) attributes = op.make_attributes();
  std::string label = name.empty() ? absl::StrCat(op.type, "_", id)
                                   : std::string(name);
  nodes_.push_back(std::unique_ptr<Node>(
      new Node(&op, id, std::move(label), std::move(attributes))));
  Node* node = nodes_.back().get();
  for (Value input : inputs) node->AddInput(input);
  if (node->Is("Parameter")) parameters_.push_back(node);
  if (node->Is("Result")) results_.push_back(node);
  if (op.Has(kHasSideEffect)) sinks_.push_back(node);
  return node;
}

std::string Model::ToString() const { return ModelText(*this); }

absl::Status Model::Infer() {
  // A body is inferred by its node's inference, which comes back here.
  static thread_local int depth = 0;
  if (depth > kMaxBodyDepth) {
    return InvalidArgument("model '", name_, "': bodies are nested over ",
                           kMaxBodyDepth, " deep");
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Node*> order, TopologicalOrder());
  ++depth;
  absl::Status status;
  for (size_t i = 0; i < order.size() && status.ok(); ++i) {
    status = order[i]->Infer();
  }
  --depth;
  return status;
}

}  // namespace dovetail
