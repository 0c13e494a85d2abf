#include "dovetail/core/graph/fused_names.h"

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
    for (char c : name) {
      if (c == ',') text += '\\';
      text += c;
    }
  }
  return text;
}

std::set<std::string> SplitFusedNames(absl::string_view text) {
  std::set<std::string> names;
  std::string name;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == ',') {
      if (!name.empty()) names.insert(name);
      name.clear();
    } else if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
      name += text[++i];
    } else {
      name += text[i];
    }
  }
  return names;
}

}  // namespace dovetail
