#include "dovetail/backends/common/compiler/layouts/place_reorders.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dovetail/backends/common/compiler/layouts/draft_problem.h"
#include "dovetail/backends/common/compiler/layouts/layout_problem.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

using Builder = std::unique_ptr<PlanBuilderBase>;

// What is spared has to be worth that the plan is made again.
bool IsWorthwhile(int64_t spared, int64_t of) { return spared > of / 100; }

// Of larger plans the cut might take longer than they are worth.
constexpr size_t kMostSites = 20000;

// With that of inputs and results.
std::set<Layout> LayoutsIn(const LayoutDraft& draft) {
  std::set<Layout> layouts = {Layout::kPlanar};
  for (const LayoutDraft::Site& site : draft.sites) {
    for (const auto* accesses : {&site.reads, &site.writes}) {
      for (const LayoutDraft::Access& access : *accesses) {
        layouts.insert(access.format.layout);
      }
    }
  }
  return layouts;
}

// A draft for each layout. One that cannot be made is left out: a step may not
// be able to follow.
std::vector<WishedDraft> DraftsFor(const std::set<Layout>& layouts,
                                   const LayoutDraft& own, EmitPlanFn emit) {
  std::vector<WishedDraft> drafts;
  for (const Layout layout : layouts) {
    const auto builder = emit({LayoutWishes::All(layout), &own});
    if (builder.ok()) drafts.push_back({layout, (*builder)->draft()});
  }
  return drafts;
}

// Better wishes than none, and what the plan costs without.
struct Found {
  LayoutWishes wishes;
  int64_t cost = 0;
};
std::optional<Found> FindWishes(const Model& model, const LayoutDraft& own,
                                EmitPlanFn emit) {
  const std::set<Layout> layouts = LayoutsIn(own);
  if (layouts.size() == 1 || own.sites.size() > kMostSites) {
    return std::nullopt;
  }
  const DraftProblem alone(model, own);
  const int64_t cost = alone.OwnCost();
  if (!IsWorthwhile(alone.own_copies(), cost)) return std::nullopt;
  const std::vector<WishedDraft> drafts = DraftsFor(layouts, own, emit);
  const DraftProblem drafted(model, own, drafts);
  const std::vector<int> choices = ChooseLayouts(drafted.problem());
  if (!IsWorthwhile(cost - CostOf(drafted.problem(), choices), cost)) {
    return std::nullopt;
  }
  return Found{drafted.WishesFor(choices), cost};
}

// Null where the plan with these wishes spares too little of the cost, or
// cannot be made.
Builder EmitBetter(const Model& model, const Found& found, EmitPlanFn emit) {
  absl::StatusOr<Builder> other = emit({found.wishes});
  if (!other.ok()) return nullptr;
  const int64_t other_cost = DraftProblem(model, (*other)->draft()).OwnCost();
  return IsWorthwhile(found.cost - other_cost, found.cost) ? *std::move(other)
                                                           : nullptr;
}

}  // namespace

absl::StatusOr<Builder> EmitWithReorders(const Model& model, EmitPlanFn emit) {
  DOVETAIL_ASSIGN_OR_RETURN(Builder own, emit({}));
  const auto found = FindWishes(model, own->draft(), emit);
  if (!found.has_value()) return own;
  // Before the other one is made: kernels ask whether weights are packed for
  // somebody already.
  own.reset();
  Builder better = EmitBetter(model, *found, emit);
  if (better != nullptr) return better;
  return emit({});
}

}  // namespace dovetail
