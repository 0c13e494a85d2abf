#include "dovetail/backends/hetero/run/joined_model.h"

#include <cstdint>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/structural/extract_model.h"
#include "dovetail/core/ops/structural/structural.h"

namespace dovetail::hetero {
std::unique_ptr<const JoinedModel> JoinedModel::Join(
    absl::Span<const PortInfo> inputs, const Wiring& wiring,
    const std::vector<std::shared_ptr<const Executable>>& parts) {
  std::unique_ptr<JoinedModel> joined(new JoinedModel(wiring, parts));
  if (!joined->CanJoin()) return nullptr;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!joined->AddInput(static_cast<int>(i), inputs[i]).ok()) return nullptr;
  }
  for (size_t p = 0; p < parts.size(); ++p) {
    if (!joined->AddPart(p).ok()) return nullptr;
  }
  joined->AddResults();
  return joined;
}

bool JoinedModel::CanJoin() const {
  for (size_t p = 0; p < parts_.size(); ++p) {
    const Model* const model = parts_[p]->runtime_model();
    if (model == nullptr ||
        model->parameters().size() != wiring_.parts[p].inputs.size() ||
        model->results().size() != parts_[p]->outputs().size()) {
      return false;
    }
  }
  return !parts_.empty();
}

// As the first part that reads it has it, by the layer's own name.
absl::Status JoinedModel::AddInput(int i, const PortInfo& port) {
  for (size_t p = 0; p < parts_.size(); ++p) {
    const std::vector<Source>& sources = wiring_.parts[p].inputs;
    const auto it = absl::c_find(sources, Source{-1, i});
    if (it == sources.end()) continue;
    const Node* const parameter =
        parts_[p]->runtime_model()->parameters()[it - sources.begin()];
    inputs_.push_back(AddCopy(model_, *parameter, {}).output());
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      Node * parameter, AddParameter(model_, port.type, port.shape, port.name));
  inputs_.push_back(parameter->output());
  return absl::OkStatus();
}

absl::Status JoinedModel::AddPart(size_t part) {
  const Model& from = *parts_[part]->runtime_model();
  std::unordered_map<const Node*, Value> read;  // what its parameters stand for
  std::unordered_map<const Node*, Node*> copies;
  for (size_t i = 0; i < from.parameters().size(); ++i) {
    const Source& source = wiring_.parts[part].inputs[i];
    read[from.parameters()[i]] = source.part < 0
                                     ? inputs_[source.index]
                                     : outputs_[source.part][source.index];
  }
  const auto here = [&](Value value) {
    if (!value) return value;
    const auto it = read.find(value.node);
    if (it != read.end()) return it->second;
    return copies.at(value.node)->output(value.index);
  };
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            from.TopologicalOrder());
  for (const Node* node : order) {
    if (node->Is("Parameter") || node->Is("Result")) continue;
    std::vector<Value> inputs;
    for (const Value input : node->inputs()) inputs.push_back(here(input));
    Node& copy = AddCopy(model_, *node, inputs);
    copies[node] = &copy;
    origins_[&copy] = {part, node};
  }
  outputs_.emplace_back();
  for (const Node* result : from.results()) {
    outputs_.back().push_back(here(result->input(0)));
  }
  return absl::OkStatus();
}

void JoinedModel::AddResults() {
  for (const Source& source : wiring_.results) {
    const Model& part = *parts_[source.part]->runtime_model();
    AddCopy(model_, *part.results()[source.index],
            {outputs_[source.part][source.index]});
  }
  // Parts are called "<model> part <number>" (cut.h).
  absl::string_view name = parts_.front()->runtime_model()->name();
  absl::ConsumeSuffix(&name, " part 0");
  model_.set_name(name);
}

ExecutionInfo JoinedModel::InfoOf(const Node& node) const {
  const auto it = origins_.find(&node);
  if (it == origins_.end()) return {};
  const auto [part, original] = it->second;
  ExecutionInfo info = parts_[part]->execution_info(*original);
  const bool runs = !node.op().Has(kStructural) && info.fused_into.empty();
  if (runs && info.device.empty()) info.device = wiring_.parts[part].device;
  // Parts run one after the other, and none has as many layers.
  constexpr int64_t kOrdersOfAPart = int64_t{1} << 32;
  if (info.order >= 0)
    info.order += static_cast<int64_t>(part) * kOrdersOfAPart;
  return info;
}

}  // namespace dovetail::hetero
