#include "dovetail/backends/common/compiler/layouts/draft_problem.h"

#include <algorithm>
#include <set>
#include <utility>

#include "dovetail/backends/common/compiler/plan_builder_base.h"

namespace dovetail {
namespace {

using Access = LayoutDraft::Access;
using Site = LayoutDraft::Site;

constexpr int kOutside = 0;  // the site of inputs and results

// In an order that is the same for all drafts, and without what a site writes
// for itself.
Site Sorted(Site site) {
  const auto by_value = [](const Access& a, const Access& b) {
    return a.value < b.value;
  };
  std::stable_sort(site.writes.begin(), site.writes.end(), by_value);
  std::stable_sort(site.reads.begin(), site.reads.end(), by_value);
  const auto is_own = [&](const Access& read) {
    return std::binary_search(site.writes.begin(), site.writes.end(), read,
                              by_value);
  };
  site.reads.erase(std::remove_if(site.reads.begin(), site.reads.end(), is_own),
                   site.reads.end());
  return site;
}

template <typename Same>
bool AreAlike(const Site& a, const Site& b, Same same) {
  return std::equal(a.reads.begin(), a.reads.end(), b.reads.begin(),
                    b.reads.end(), same) &&
         std::equal(a.writes.begin(), a.writes.end(), b.writes.begin(),
                    b.writes.end(), same);
}

bool SeeTheSameValues(const Site& a, const Site& b) {
  return AreAlike(a, b, [](const Access& one, const Access& other) {
    return one.value == other.value;
  });
}

// Of two that see the same values.
bool DoTheSame(const Site& a, const Site& b) {
  return a.bytes == b.bytes &&
         AreAlike(a, b, [](const Access& one, const Access& other) {
           return SameFormat(PlanBuilderBase::ShapeOf(one.value), one.format,
                             other.format);
         });
}

}  // namespace

DraftProblem::DraftProblem(const Model& model, const LayoutDraft& own,
                           absl::Span<const WishedDraft> wished) {
  std::vector<SitesByNode> others;
  for (const WishedDraft& one : wished) others.push_back(SitesOf(one.draft));
  problem_.sites.push_back({{Layout::kPlanar, 0}});
  options_.emplace_back();
  for (const Site& site : own.sites) {
    std::vector<Option> options = {{Sorted(site), std::nullopt}};
    for (size_t i = 0; i < wished.size(); ++i) {
      const auto it = others[i].find(site.node);
      if (it == others[i].end()) continue;
      AddOption({Sorted(*it->second), wished[i].layout}, options);
    }
    // What does the same by any wish may have looked at more than it has read:
    // it gets to see what it saw.
    if (options.size() == 1 && !site.reads.empty()) {
      options.front().wish = site.reads.front().stored;
    }
    AddSite(std::move(options));
  }
  AddOutside(model);
  for (auto& [value, seen] : seen_) {
    if (seen.is_written) AddValue(value, seen);
  }
}

// Unless it is what another option does: then that is what the wish leads to.
void DraftProblem::AddOption(Option option, std::vector<Option>& options) {
  if (!SeeTheSameValues(options.front().site, option.site)) return;
  for (Option& other : options) {
    if (!DoTheSame(other.site, option.site)) continue;
    if (!other.wish) other.wish = option.wish;
    return;
  }
  options.push_back(std::move(option));
}

void DraftProblem::AddSite(std::vector<Option> options) {
  const int number = static_cast<int>(problem_.sites.size());
  problem_.sites.emplace_back();
  for (const Option& option : options) {
    const Layout layout = option.wish.value_or(Layout::kPlanar);
    problem_.sites.back().push_back({layout, option.site.bytes});
  }
  const auto formats = [&](std::vector<Access> Site::*accesses, size_t i) {
    std::vector<Format> of_options;
    for (const Option& option : options) {
      of_options.push_back((option.site.*accesses)[i].format);
    }
    return of_options;
  };
  const Site& own = options.front().site;
  for (size_t i = 0; i < own.reads.size(); ++i) {
    AddReader(own.reads[i].value, number, formats(&Site::reads, i));
  }
  for (size_t i = 0; i < own.writes.size(); ++i) {
    AddWriter(own.writes[i].value, number, formats(&Site::writes, i));
  }
  options_.push_back(std::move(options));
}

void DraftProblem::AddOutside(const Model& model) {
  const auto planar = [](Value value) {
    return std::vector<Format>{{value.type(), Layout::kPlanar}};
  };
  for (Node* parameter : model.parameters()) {
    const Value value = {parameter, 0};
    AddWriter(value, kOutside, planar(value));
  }
  for (const Node* result : model.results()) {
    const Value value = result->input(0);
    AddReader(value, kOutside, planar(value));
  }
}

int DraftProblem::NumberOf(Value value, const Format& format) {
  std::vector<Format>& formats = seen_[value].formats;
  const Shape shape = PlanBuilderBase::ShapeOf(value);
  for (size_t i = 0; i < formats.size(); ++i) {
    if (SameFormat(shape, formats[i], format)) return static_cast<int>(i);
  }
  formats.push_back(format);
  return static_cast<int>(formats.size()) - 1;
}

LayoutValue::End DraftProblem::EndOf(Value value, int site,
                                     absl::Span<const Format> formats) {
  LayoutValue::End end{site, {}};
  for (const Format& format : formats) {
    end.formats.push_back(NumberOf(value, format));
  }
  return end;
}

void DraftProblem::AddReader(Value value, int site,
                             absl::Span<const Format> formats) {
  seen_[value].value.readers.push_back(EndOf(value, site, formats));
}

void DraftProblem::AddWriter(Value value, int site,
                             absl::Span<const Format> formats) {
  Seen& seen = seen_[value];
  if (seen.is_written) return;
  seen.is_written = true;
  seen.value.writer = EndOf(value, site, formats);
}

void DraftProblem::AddValue(Value value, Seen& seen) {
  LayoutValue& added = seen.value;
  const Shape shape = PlanBuilderBase::ShapeOf(value);
  for (const Format& format : seen.formats) {
    added.copy_costs.push_back(2 * StoredBytes(shape, format));
  }
  const int written = added.writer.formats.front();
  std::set<int> read;
  for (const LayoutValue::End& reader : added.readers) {
    const int format = reader.formats.front();
    const bool is_copy = format != written && seen.formats[format].type ==
                                                  seen.formats[written].type;
    if (is_copy && read.insert(format).second) {
      own_copies_ += added.copy_costs[format];
    }
  }
  problem_.values.push_back(std::move(added));
}

int64_t DraftProblem::OwnCost() const {
  return CostOf(problem_, std::vector<int>(problem_.sites.size(), 0));
}

LayoutWishes DraftProblem::WishesFor(absl::Span<const int> choices) const {
  LayoutWishes wishes;
  for (size_t site = 0; site < options_.size(); ++site) {
    if (options_[site].empty()) continue;  // the outside
    const Option& option = options_[site][choices[site]];
    if (option.wish) wishes.Wish(*option.site.node, *option.wish);
  }
  return wishes;
}

}  // namespace dovetail
