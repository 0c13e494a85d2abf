// Drafts of one plan as a problem of layouts.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_DRAFT_PROBLEM_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_DRAFT_PROBLEM_H_

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/backends/common/compiler/layouts/layout_draft.h"
#include "dovetail/backends/common/compiler/layouts/layout_problem.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// A draft for which all steps were wished one layout.
struct WishedDraft {
  Layout layout;
  LayoutDraft draft;
};

// Costs are bytes that are read and written. Each site may do what it did by
// itself, or in one of the other drafts; inputs and results of the model are
// planar.
class DraftProblem {
 public:
  // What it is made of outlives the object.
  DraftProblem(const Model& model, const LayoutDraft& own,
               absl::Span<const WishedDraft> wished = {});

  const LayoutProblem& problem() const { return problem_; }
  // When all sites do as they did by themselves.
  int64_t OwnCost() const;
  // What of it is copies that change nothing but the layout.
  int64_t own_copies() const { return own_copies_; }
  // By which steps do what was chosen for them.
  LayoutWishes WishesFor(absl::Span<const int> choices) const;

 private:
  using Site = LayoutDraft::Site;
  // What a site may do, and by which wish.
  struct Option {
    Site site;
    std::optional<Layout> wish;
  };
  struct Seen {
    std::vector<Format> formats;  // by number
    bool is_written = false;
    LayoutValue value;
  };

  static void AddOption(Option option, std::vector<Option>& options);
  void AddSite(std::vector<Option> options);
  void AddOutside(const Model& model);
  int NumberOf(Value value, const Format& format);
  LayoutValue::End EndOf(Value value, int site,
                         absl::Span<const Format> formats);
  void AddReader(Value value, int site, absl::Span<const Format> formats);
  void AddWriter(Value value, int site, absl::Span<const Format> formats);
  void AddValue(Value value, Seen& seen);

  LayoutProblem problem_;
  int64_t own_copies_ = 0;
  std::vector<std::vector<Option>> options_;  // by site
  std::map<Value, Seen> seen_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_DRAFT_PROBLEM_H_
