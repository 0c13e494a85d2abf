#include "dovetail/core/preprocess/layout.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

constexpr absl::string_view kUnnamed = "?";
constexpr absl::string_view kDots = "...";

std::vector<std::string> SplitAxes(absl::string_view text) {
  std::vector<std::string> axes;
  if (absl::ConsumePrefix(&text, "[") && absl::ConsumeSuffix(&text, "]")) {
    for (absl::string_view name : absl::StrSplit(text, ',')) {
      axes.push_back(absl::AsciiStrToUpper(absl::StripAsciiWhitespace(name)));
    }
    return axes;
  }
  while (!text.empty()) {
    const size_t length = text.substr(0, kDots.size()) == kDots ? 3 : 1;
    axes.push_back(absl::AsciiStrToUpper(text.substr(0, length)));
    text.remove_prefix(length);
  }
  return axes;
}

bool IsName(absl::string_view axis) {
  return !axis.empty() &&
         std::all_of(axis.begin(), axis.end(), [](unsigned char c) {
           return absl::ascii_isalnum(c) || c == '_';
         });
}

}  // namespace

absl::StatusOr<Layout> Layout::Parse(absl::string_view text) {
  Layout layout;
  std::set<std::string> seen;
  for (std::string& axis : SplitAxes(text)) {
    if (axis != kUnnamed && axis != kDots && !IsName(axis)) {
      return InvalidArgument("layout '", text, "': '", axis,
                             "' is no axis; want a name, '?' or '...'");
    }
    if (axis != kUnnamed && !seen.insert(axis).second) {
      return InvalidArgument("layout '", text, "': '", axis,
                             "' is there twice");
    }
    layout.axes_.push_back(std::move(axis));
  }
  return layout;
}

std::optional<int> Layout::Find(absl::string_view name) const {
  const int count = static_cast<int>(axes_.size());
  bool after_dots = false;
  for (int i = 0; i < count; ++i) {
    if (axes_[i] == name) return after_dots ? i - count : i;
    if (axes_[i] == kDots) after_dots = true;
  }
  return std::nullopt;
}

absl::StatusOr<int> Layout::Axis(absl::string_view name, int rank) const {
  const std::optional<int> axis = Find(name);
  if (!axis.has_value()) {
    return InvalidArgument("layout ", ToString(), " has no axis ", name);
  }
  const int index = *axis < 0 ? *axis + rank : *axis;
  if (index >= 0 && index < rank) return index;
  return InvalidArgument("layout ", ToString(), " does not fit ", rank,
                         " dimensions");
}

absl::StatusOr<Layout> Layout::Expanded(int rank) const {
  const auto dots = std::find(axes_.begin(), axes_.end(), kDots);
  const int named = static_cast<int>(axes_.size()) - (dots != axes_.end());
  if (dots == axes_.end() ? named != rank : named > rank) {
    return InvalidArgument("layout ", ToString(), " does not fit ", rank,
                           " dimensions");
  }
  Layout result;
  result.axes_.assign(axes_.begin(), dots);
  if (dots == axes_.end()) return result;
  result.axes_.insert(result.axes_.end(), rank - named, std::string(kUnnamed));
  result.axes_.insert(result.axes_.end(), dots + 1, axes_.end());
  return result;
}

Layout Layout::Permuted(const std::vector<int64_t>& order) const {
  Layout result;
  for (const int64_t axis : order) result.axes_.push_back(axes_[axis]);
  return result;
}

std::string Layout::ToString() const {
  return absl::StrCat("[", absl::StrJoin(axes_, ","), "]");
}

absl::StatusOr<std::vector<int64_t>> LayoutOrder(const Layout& from,
                                                 const Layout& to, int rank) {
  DOVETAIL_ASSIGN_OR_RETURN(const Layout source, from.Expanded(rank));
  DOVETAIL_ASSIGN_OR_RETURN(const Layout target, to.Expanded(rank));
  const Layout unnamed = *Layout::Parse(kUnnamed);
  std::vector<int64_t> order(rank, -1);
  std::vector<bool> is_taken(rank, false);
  for (int i = 0; i < rank; ++i) {
    const Layout axis = target.Permuted({i});
    for (int j = 0; j < rank && axis != unnamed; ++j) {
      if (source.Permuted({j}) != axis) continue;
      order[i] = j;
      is_taken[j] = true;
    }
  }
  int next = 0;
  for (int i = 0; i < rank; ++i) {
    if (order[i] >= 0) continue;
    while (is_taken[next]) ++next;
    const Layout axis = target.Permuted({i}), other = source.Permuted({next});
    if (axis != unnamed && other != unnamed) {
      return InvalidArgument("layout ", from.ToString(), " has no axis ",
                             axis.ToString(), " of ", to.ToString());
    }
    order[i] = next++;
  }
  return order;
}

}  // namespace dovetail
