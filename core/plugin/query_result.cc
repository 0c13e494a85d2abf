#include "dovetail/core/plugin/query_result.h"

namespace dovetail {

bool QueryResult::all_supported() const {
  for (const Layer& layer : layers) {
    if (!layer.reason.ok()) return false;
  }
  return true;
}

const QueryResult::Layer* QueryResult::Find(absl::string_view name) const {
  for (const Layer& layer : layers) {
    if (layer.name == name) return &layer;
  }
  return nullptr;
}

}  // namespace dovetail
