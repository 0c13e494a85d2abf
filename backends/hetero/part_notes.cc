#include "dovetail/backends/hetero/part_notes.h"

#include <cstddef>
#include <fstream>
#include <unordered_map>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/dot.h"

namespace dovetail::hetero {
namespace {

std::unordered_map<const Node*, int> NumbersOf(const std::vector<Part>& parts) {
  std::unordered_map<const Node*, int> numbers;
  for (size_t p = 0; p < parts.size(); ++p) {
    for (const Node* node : parts[p].nodes) {
      numbers.emplace(node, static_cast<int>(p));  // not of copies
    }
  }
  return numbers;
}

}  // namespace

absl::Status NoteParts(const Model& model, const std::vector<Part>& parts,
                       QueryResult& layers) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  const auto numbers = NumbersOf(parts);
  for (size_t i = 0; i < order.size(); ++i) {
    const auto it = numbers.find(order[i]);
    if (it != numbers.end()) layers.layers[i].part = it->second;
  }
  for (size_t p = 0; p < parts.size(); ++p) {
    const std::vector<const Node*>& nodes = parts[p].nodes;
    layers.notes.push_back(absl::StrCat(
        "part ", p, " runs on ", parts[p].device, ": ", nodes.size(),
        nodes.size() == 1 ? " layer" : " layers", " from '",
        nodes.front()->name(), "' to '", nodes.back()->name(), "'"));
  }
  return absl::OkStatus();
}

absl::Status WriteDot(const Model& model, const std::vector<Part>& parts,
                      const std::string& path) {
  DotParts drawn;
  drawn.part_of = [numbers = NumbersOf(parts)](const Node& node) {
    const auto it = numbers.find(&node);
    return it == numbers.end() ? -1 : it->second;
  };
  for (size_t p = 0; p < parts.size(); ++p) {
    drawn.labels.push_back(absl::StrCat("part ", p, ": ", parts[p].device));
  }
  std::ofstream file(path);
  file << ModelDot(model, drawn);
  file.close();
  if (file) return absl::OkStatus();
  return Unavailable("HETERO_DUMP_GRAPH_DOT: cannot write '", path, "'");
}

}  // namespace dovetail::hetero
