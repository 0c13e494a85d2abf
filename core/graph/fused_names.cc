#include "dovetail/core/graph/fused_names.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"

namespace dovetail {
namespace {

constexpr absl::string_view kPath[] = {"fused_names_0", "value"};

void AppendEscaped(absl::string_view name, std::string& text) {
  size_t run = 0;  // backslashes that `text` ends with, of this name
  for (char c : name) {
    if (c == ',') text.append(run + 1, '\\');
    text += c;
    run = c == '\\' ? run + 1 : 0;
  }
  text.append(run, '\\');
}

// A node's list as it is written, of which the names are parts: passes join the
// same lists again and again.
class WrittenList {
 public:
  explicit WrittenList(const Node& node) {
    const std::string* text = node.rt_info().Find(kPath);
    if (text == nullptr || text->empty()) {
      AppendEscaped(node.name(), own_);
      names_.push_back(own_);
      return;
    }
    // Of others, who write names as they are: a comma after it would be its.
    if (absl::EndsWith(*text, "\\")) {
      own_ = JoinFusedNames(SplitFusedNames(*text));
      text = &own_;
    }
    Split(*text);
    if (!std::is_sorted(names_.begin(), names_.end())) {
      std::sort(names_.begin(), names_.end());
    }
  }
  WrittenList(const WrittenList&) = delete;
  WrittenList& operator=(const WrittenList&) = delete;

  // Sorted.
  const std::vector<absl::string_view>& names() const { return names_; }

 private:
  void Split(absl::string_view text) {
    size_t begin = 0;
    for (size_t comma = text.find(','); comma != absl::string_view::npos;
         comma = text.find(',', comma + 1)) {
      const absl::string_view name = text.substr(begin, comma - begin);
      const size_t run = name.size() - (name.find_last_not_of('\\') + 1);
      if (run % 2 == 1) continue;  // the comma is the name's
      AddName(name);
      begin = comma + 1;
    }
    AddName(text.substr(begin));
  }

  void AddName(absl::string_view name) {
    if (!name.empty()) names_.push_back(name);
  }

  std::vector<absl::string_view> names_;
  std::string own_;  // what the node does not hold so
};

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
  const WrittenList own(node), more(other);
  std::vector<absl::string_view> all;
  std::set_union(own.names().begin(), own.names().end(), more.names().begin(),
                 more.names().end(), std::back_inserter(all));
  if (all.size() == own.names().size()) return;
  node.rt_info().Set(kPath, absl::StrJoin(all, ","));
}

std::string JoinFusedNames(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ',';
    AppendEscaped(name, text);
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
