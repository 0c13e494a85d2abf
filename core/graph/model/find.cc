// The part of Model that finds nodes, inputs and outputs by name.
#include <functional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {
namespace {

bool HasName(const OutputPort& port, const std::string& name) {
  return port.names.count(name) != 0;
}

// What a result passes on.
const OutputPort& ResultPort(const Node& result) {
  const Value source = result.input_count() > 0 ? result.input(0) : Value{};
  return source.port();
}

// The first of `nodes` for which `matches`; -1 when there is none.
int FirstOf(const std::vector<Node*>& nodes,
            const std::function<bool(const Node&)>& matches) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (matches(*nodes[i])) return static_cast<int>(i);
  }
  return -1;
}

// `text` as an index below `count`; -1 when it is none.
int AsIndex(absl::string_view text, size_t count) {
  int64_t index;
  if (!absl::SimpleAtoi(text, &index)) return -1;
  return index >= 0 && index < static_cast<int64_t>(count)
             ? static_cast<int>(index)
             : -1;
}

absl::Status NoSuch(absl::string_view what, absl::string_view name,
                    const std::vector<std::string>& names) {
  return NotFound("no ", what, " '", name, "'; there ",
                  names.size() == 1 ? "is" : "are", " ",
                  names.empty() ? "none" : absl::StrJoin(names, ", "));
}

}  // namespace

Node* Model::FindNode(absl::string_view name) const {
  for (const auto& node : nodes_) {
    if (node->name() == name) return node.get();
  }
  return nullptr;
}

absl::StatusOr<int> Model::FindInput(absl::string_view name) const {
  const std::string text(name);
  int i = FirstOf(parameters_, [&](const Node& node) {
    return node.output_count() > 0 && HasName(node.port(), text);
  });
  if (i < 0) {
    i = FirstOf(parameters_,
                [&](const Node& node) { return node.name() == text; });
  }
  if (i < 0) i = AsIndex(name, parameters_.size());
  if (i >= 0) return i;
  std::vector<std::string> names;
  for (size_t k = 0; k < parameters_.size(); ++k) names.push_back(InputName(k));
  return NoSuch("input", name, names);
}

absl::StatusOr<int> Model::FindOutput(absl::string_view name) const {
  const std::string text(name);
  int i = FirstOf(results_, [&](const Node& node) {
    return HasName(ResultPort(node), text) ||
           (node.output_count() > 0 && HasName(node.port(), text));
  });
  if (i < 0) {
    i = FirstOf(results_,
                [&](const Node& node) { return node.name() == text; });
  }
  if (i < 0) {
    i = FirstOf(results_, [&](const Node& node) {
      return node.input_count() > 0 && node.input(0) &&
             node.input(0).node->name() == text;
    });
  }
  if (i < 0) i = AsIndex(name, results_.size());
  if (i >= 0) return i;
  std::vector<std::string> names;
  for (size_t k = 0; k < results_.size(); ++k) names.push_back(OutputName(k));
  return NoSuch("output", name, names);
}

std::string Model::InputName(int i) const {
  const Node& node = *parameters_[i];
  if (node.output_count() > 0 && !node.port().names.empty()) {
    return *node.port().names.begin();
  }
  return node.name();
}

std::string Model::OutputName(int i) const {
  const Node& node = *results_[i];
  const OutputPort& port = ResultPort(node);
  if (!port.names.empty()) return *port.names.begin();
  if (node.output_count() > 0 && !node.port().names.empty()) {
    return *node.port().names.begin();
  }
  return node.input_count() > 0 && node.input(0) ? node.input(0).node->name()
                                                 : node.name();
}

}  // namespace dovetail
