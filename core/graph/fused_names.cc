#include "dovetail/core/graph/fused_names.h"

#include <cstddef>
#include <utility>

#include "absl/types/span.h"

namespace dovetail {
namespace {

constexpr absl::string_view kPath[] = {"fused_names_0", "value"};

}  // namespace

std::set<std::string> FusedNames(const Node& node) {
  const std::string* text = node.rt_info().Find(kPath);
  if (text == nullptr || text->empty()) return {node.name()};
  return SplitFusedNames(*text);
}

void SetFusedNames(Node& node, const std::set<std::string>& names) {
  node.rt_info().Set(kPath, JoinFusedNames(names));
}

void AddFusedNames(Node& node, const Node& other) {
  std::set<std::string> names = FusedNames(node);
  names.merge(FusedNames(other));
  SetFusedNames(node, names);
}

std::string JoinFusedNames(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ',';
    size_t run = 0;  // backslashes that `text` ends with, of this name
    for (char c : name) {
      if (c == ',') text.append(run + 1, '\\');
      text += c;
      run = c == '\\' ? run + 1 : 0;
    }
    text.append(run, '\\');
  }
  return text;
}

std::set<std::string> SplitFusedNames(absl::string_view text) {
  std::set<std::string> names;
  std::string name;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t start = i;
    while (i < text.size() && text[i] == '\\') ++i;
    const size_t run = i - start;
    const bool at_end = i == text.size();
    if (!at_end && text[i] != ',') {
      name.append(run, '\\');
      name += text[i];
      continue;
    }
    // Written by us they are even at the end; others write names as they are.
    name.append(at_end ? (run + 1) / 2 : run / 2, '\\');
    if (run % 2 == 1 && !at_end) {
      name += ',';
    } else if (!name.empty()) {
      names.insert(std::exchange(name, ""));
    }
  }
  if (!name.empty()) names.insert(name);
  return names;
}

}  // namespace dovetail
