#include "dovetail/backends/common/compiler/layouts/layout_problem.h"

#include <map>
#include <optional>
#include <set>

#include "dovetail/backends/common/compiler/layouts/minimum_cut.h"

namespace dovetail {
namespace {

using End = LayoutValue::End;
using Choices = std::vector<int>;

int FormatOf(const End& end, const Choices& choices) {
  return end.formats[choices[end.site]];
}

int64_t CopiesOf(const LayoutValue& value, const Choices& choices) {
  std::set<int> read;
  for (const End& reader : value.readers) {
    read.insert(FormatOf(reader, choices));
  }
  read.erase(FormatOf(value.writer, choices));
  int64_t cost = 0;
  for (const int format : read) cost += value.copy_costs[format];
  return cost;
}

// Which of the sites change to one layout: side true of a cut.
class Change {
 public:
  Change(const LayoutProblem& problem, const Choices& choices, Layout to)
      : problem_(problem), choices_(choices) {
    for (size_t site = 0; site < problem.sites.size(); ++site) {
      AddSite(static_cast<int>(site), to);
    }
    for (const LayoutValue& value : problem.values) AddValue(value);
  }

  Choices Solve() {
    const std::vector<bool> sides = cut_.Solve();
    Choices changed = choices_;
    for (size_t site = 0; site < changed.size(); ++site) {
      if (const auto& option = options_[site]; option && sides[option->node]) {
        changed[site] = option->choice;
      }
    }
    return changed;
  }

 private:
  struct Option {
    int node, choice;
  };

  void AddSite(int site, Layout to) {
    const std::vector<LayoutChoice>& all = problem_.sites[site];
    options_.emplace_back();
    for (size_t i = 0; i < all.size(); ++i) {
      const int choice = static_cast<int>(i);
      if (all[i].layout != to || choice == choices_[site]) continue;
      const int node = cut_.AddNode();
      cut_.AddCost(node, false, all[choices_[site]].cost);
      cut_.AddCost(node, true, all[i].cost);
      options_.back() = {node, choice};
      return;
    }
  }

  // In which format a site sees a value, on either side.
  struct Sight {
    std::optional<int> node;  // nothing: the format is the same on both
    int stays, changes;
  };
  Sight SightOf(const End& end) const {
    const int stays = FormatOf(end, choices_);
    const auto& option = options_[end.site];
    if (!option) return {std::nullopt, stays, stays};
    const int changes = end.formats[option->choice];
    if (changes == stays) return {std::nullopt, stays, stays};
    return {option->node, stays, changes};
  }

  void AddValue(const LayoutValue& value) {
    std::map<int, std::vector<Sight>> readers;  // by format
    for (const End& end : value.readers) {
      const Sight sight = SightOf(end);
      readers[sight.stays].push_back(sight);
      if (sight.node) readers[sight.changes].push_back(sight);
    }
    const Sight writer = SightOf(value.writer);
    for (const auto& [format, sights] : readers) {
      if (!writer.node && writer.stays == format) continue;
      AddCopy(format, value.copy_costs[format], sights, writer);
    }
  }

  // What a copy in that format costs when one of its readers is on the side
  // where it reads the format. They are all on the same side of their choices,
  // but where some change from what others change to: then it counts as read.
  void AddCopy(int format, int64_t cost, const std::vector<Sight>& sights,
               const Sight& writer) {
    bool always = false, if_stays = false, if_changes = false;
    for (const Sight& sight : sights) {
      always |= !sight.node;
      if_stays |= sight.node && sight.stays == format;
      if_changes |= sight.node && sight.changes == format;
    }
    if (always || (if_stays && if_changes)) {
      AddUnlessWritten(format, cost, writer);
      return;
    }
    const bool side = if_changes;
    const int copy = cut_.AddNode();  // on that side where it is needed
    for (const Sight& sight : sights) {
      if (side) {
        cut_.AddCost(copy, *sight.node, MinimumCut::kNever);
      } else {
        cut_.AddCost(*sight.node, copy, MinimumCut::kNever);
      }
    }
    AddUnlessWritten(format, cost, writer, copy, side);
  }

  // Of a format that is read on both sides.
  void AddUnlessWritten(int format, int64_t cost, const Sight& writer) {
    if (!writer.node) return;  // the same on both sides
    if (writer.stays == format) {
      cut_.AddCost(*writer.node, true, cost);
    } else if (writer.changes == format) {
      cut_.AddCost(*writer.node, false, cost);
    }
  }

  // Of one that is read where `copy` is on `side`.
  void AddUnlessWritten(int format, int64_t cost, const Sight& writer, int copy,
                        bool side) {
    const int written = side ? writer.changes : writer.stays;
    if (!writer.node || written != format) {
      cut_.AddCost(copy, side, cost);
    } else if (side) {
      cut_.AddCost(*writer.node, copy, cost);
    } else {
      cut_.AddCost(copy, *writer.node, cost);
    }
  }

  const LayoutProblem& problem_;
  const Choices& choices_;
  MinimumCut cut_;
  std::vector<std::optional<Option>> options_;
};

std::set<Layout> LayoutsOf(const LayoutProblem& problem) {
  std::set<Layout> layouts;
  for (const auto& site : problem.sites) {
    for (const LayoutChoice& choice : site) layouts.insert(choice.layout);
  }
  return layouts;
}

}  // namespace

int64_t CostOf(const LayoutProblem& problem, const std::vector<int>& choices) {
  int64_t cost = 0;
  for (size_t site = 0; site < choices.size(); ++site) {
    cost += problem.sites[site][choices[site]].cost;
  }
  for (const LayoutValue& value : problem.values) {
    cost += CopiesOf(value, choices);
  }
  return cost;
}

std::vector<int> ChooseLayouts(const LayoutProblem& problem) {
  Choices best(problem.sites.size(), 0);
  int64_t least = CostOf(problem, best);
  for (bool is_better = true; is_better;) {
    is_better = false;
    for (const Layout layout : LayoutsOf(problem)) {
      const Choices changed = Change(problem, best, layout).Solve();
      const int64_t cost = CostOf(problem, changed);
      if (cost >= least) continue;
      best = changed;
      least = cost;
      is_better = true;
    }
  }
  return best;
}

}  // namespace dovetail
