// What a plan's steps read and write, and in which layout they are to see it.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_LAYOUT_DRAFT_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_LAYOUT_DRAFT_H_

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/core/graph/node.h"

namespace dovetail {

// Notes that a builder takes of a plan.
struct LayoutDraft {
  struct Access {
    Value value;
    Format format;
    Layout stored = Layout::kPlanar;  // before it was copied to that format
  };
  // What was added by an emitter, for a node and others that it took in.
  struct Site {
    const Node* node = nullptr;
    std::vector<Access> reads;      // but no constants
    std::vector<Access> writes;     // views among them
    std::vector<const Node*> done;  // the node and the others
    int64_t bytes = 0;              // that steps read and write, copies aside
  };
  std::vector<Site> sites;
};

// The sites of a draft, which outlives the map.
using SitesByNode = std::unordered_map<const Node*, const LayoutDraft::Site*>;
inline SitesByNode SitesOf(const LayoutDraft& draft) {
  SitesByNode sites;
  for (const LayoutDraft::Site& site : draft.sites) {
    sites.emplace(site.node, &site);
  }
  return sites;
}

// The layout in which an emitter finds what it reads (FormatOf), so that steps
// that take any layout take this one; what is stored in another is copied for
// them. Emitters are free not to follow.
class LayoutWishes {
 public:
  // None: values are found as they are stored.
  LayoutWishes() = default;
  // The same for all.
  static LayoutWishes All(Layout layout) {
    LayoutWishes wishes;
    wishes.of_others_ = layout;
    return wishes;
  }

  // By the node that is emitted.
  void Wish(const Node& node, Layout layout) { of_nodes_[&node] = layout; }
  std::optional<Layout> Of(const Node& node) const {
    const auto it = of_nodes_.find(&node);
    return it == of_nodes_.end() ? of_others_ : it->second;
  }

 private:
  std::unordered_map<const Node*, Layout> of_nodes_;
  std::optional<Layout> of_others_;
};

// How a plan is emitted.
struct EmissionRequest {
  LayoutWishes wishes;
  // For a draft, that of the plan that goes by no wishes: emitters that follow
  // none need not be asked again. Nothing is packed then, and there is no plan
  // in the end. Null: a plan is made.
  const LayoutDraft* own = nullptr;

  bool is_draft() const { return own != nullptr; }
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_LAYOUT_DRAFT_H_
