#include "dovetail/backends/common/compiler/layouts/draft_notes.h"

#include <utility>

namespace dovetail {

void DraftNotes::Follow(EmissionRequest request) {
  request_ = std::move(request);
  if (is_draft()) own_sites_ = SitesOf(*request_.own);
}

void DraftNotes::Begin(const Node& node) {
  node_ = &node;
  draft_.sites.push_back({&node});
}

const LayoutDraft::Site* DraftNotes::Repeat(const Node& node) {
  const auto own = own_sites_.find(&node);
  if (own == own_sites_.end()) return nullptr;
  End();
  draft_.sites.push_back(*own->second);
  return own->second;
}

std::optional<Layout> DraftNotes::Wish() const {
  return node_ == nullptr ? std::nullopt : request_.wishes.Of(*node_);
}

void DraftNotes::Read(Value value, const Format& format, Layout stored) {
  if (node_ == nullptr) return;
  draft_.sites.back().reads.push_back({value, format, stored});
}

void DraftNotes::Write(Value value, const Format& format) {
  if (node_ == nullptr) return;
  draft_.sites.back().writes.push_back({value, format, format.layout});
}

void DraftNotes::Done(const Node& node) {
  if (node_ != nullptr) draft_.sites.back().done.push_back(&node);
}

void DraftNotes::Traffic(int64_t bytes) {
  if (node_ != nullptr) draft_.sites.back().bytes += bytes;
}

}  // namespace dovetail
