#include "dovetail/extensions/ir/reader/names.h"

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dovetail/core/base/status.h"

namespace dovetail::ir {
namespace {

// All nodes, those first that keep their names.
std::vector<Node*> ByClaim(const Model& model) {
  std::vector<Node*> nodes(model.parameters());
  for (Node* result : model.results()) {
    if (result->input_count() > 0) nodes.push_back(result->input(0).node);
  }
  for (const auto& node : model.nodes()) {
    if (!node->Is("Result")) nodes.push_back(node.get());
  }
  nodes.insert(nodes.end(), model.results().begin(), model.results().end());
  return nodes;
}

// Which value each name of an input or output means.
class NameOwners {
 public:
  absl::Status Claim(const std::string& name, Value value) {
    const auto [owner, is_new] = owners_.emplace(name, value);
    if (is_new || owner->second == value) return absl::OkStatus();
    return InvalidArgument(value.node->Describe(), ": '", name,
                           "' names an output of ",
                           owner->second.node->Describe(), " too");
  }

 private:
  std::map<std::string, Value> owners_;
};

std::string LayerName(Value value) {
  const Node& node = *value.node;
  return node.output_count() == 1 ? node.name()
                                  : absl::StrCat(node.name(), ".", value.index);
}

}  // namespace

void MakeNamesUnique(Model* model) {
  std::unordered_set<const Node*> done;
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, int> last_number;
  for (Node* node : ByClaim(*model)) {
    if (!done.insert(node).second || taken.insert(node->name()).second) {
      continue;
    }
    int& number = last_number[node->name()];
    std::string name;
    do {
      name = absl::StrCat(node->name(), "_", ++number);
    } while (!taken.insert(name).second);
    node->set_name(name);
  }
}

absl::Status AddLayerNamesAsTensorNames(Model* model) {
  std::vector<Value> values;
  for (Node* parameter : model->parameters()) {
    values.push_back(parameter->output());
  }
  for (Node* result : model->results()) values.push_back(result->input(0));
  NameOwners owners;
  for (Value value : values) {
    for (const std::string& name : value.port().names) {
      DOVETAIL_RETURN_IF_ERROR(owners.Claim(name, value));
    }
  }
  for (Value value : values) {
    DOVETAIL_RETURN_IF_ERROR(owners.Claim(LayerName(value), value));
    value.port().names.insert(LayerName(value));
  }
  return absl::OkStatus();
}

}  // namespace dovetail::ir
