#include "dovetail/core/graph/rt_info.h"

namespace dovetail {

const std::string* RtInfo::Find(
    absl::Span<const absl::string_view> path) const {
  const RtInfo* entry = this;
  for (absl::string_view step : path) {
    const auto child = entry->children.find(std::string(step));
    if (child == entry->children.end()) return nullptr;
    entry = &child->second;
  }
  return &entry->value;
}

void RtInfo::Set(absl::Span<const absl::string_view> path,
                 absl::string_view text) {
  RtInfo* entry = this;
  for (absl::string_view step : path) {
    entry = &entry->children[std::string(step)];
  }
  entry->value = std::string(text);
}

}  // namespace dovetail
