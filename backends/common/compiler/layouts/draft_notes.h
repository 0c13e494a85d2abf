// What a builder notes of the steps that it adds, site by site.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_DRAFT_NOTES_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_DRAFT_NOTES_H_

#include <cstdint>
#include <optional>

#include "dovetail/backends/common/compiler/layouts/layout_draft.h"

namespace dovetail {

class DraftNotes {
 public:
  // Before anything is noted. The request's draft has to live as long as the
  // object.
  void Follow(EmissionRequest request);
  bool is_draft() const { return request_.is_draft(); }

  // What is noted from now on is of that node's site; of none after End.
  void Begin(const Node& node);
  void End() { node_ = nullptr; }
  // What is noted until the result ends is of no site.
  class Pause {
   public:
    explicit Pause(DraftNotes& notes) : notes_(notes), node_(notes.node_) {
      notes_.End();
    }
    ~Pause() { notes_.node_ = node_; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    DraftNotes& notes_;
    const Node* const node_;
  };
  // The site of the request's draft, which is added to this one as it was; null
  // where it has none, or this is no draft. No site goes on after it.
  const LayoutDraft::Site* Repeat(const Node& node);

  // In which layout the site should find what it reads.
  std::optional<Layout> Wish() const;

  void Read(Value value, const Format& format, Layout stored);
  void Write(Value value, const Format& format);
  void Done(const Node& node);
  void Traffic(int64_t bytes);

  const LayoutDraft& draft() const { return draft_; }

 private:
  EmissionRequest request_;
  SitesByNode own_sites_;  // of the request's draft
  LayoutDraft draft_;
  const Node* node_ = nullptr;  // that of the last site, as long as it goes on
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_DRAFT_NOTES_H_
