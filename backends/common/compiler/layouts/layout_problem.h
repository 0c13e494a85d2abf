// In which layouts steps read and write, so that copies from one layout to
// another cost least.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_LAYOUT_PROBLEM_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_LAYOUT_PROBLEM_H_

#include <cstdint>
#include <vector>

#include "dovetail/backends/common/compiler/layout.h"

namespace dovetail {

// What a step would do with one of several layouts.
struct LayoutChoice {
  Layout layout = Layout::kPlanar;
  int64_t cost = 0;  // besides copies of values
};

// A value between the step that writes it and those that read it.
struct LayoutValue {
  // One of the steps, and for each of its choices the number of the format in
  // which it sees the value.
  struct End {
    int site = 0;
    std::vector<int> formats;
  };
  End writer;
  // Each format that some of them read costs a copy, unless it is written.
  std::vector<End> readers;
  std::vector<int64_t> copy_costs;  // by format
};

struct LayoutProblem {
  // Steps, with their choices; at least one each.
  std::vector<std::vector<LayoutChoice>> sites;
  std::vector<LayoutValue> values;
};

// `choices` has the number of a choice for each site.
int64_t CostOf(const LayoutProblem& problem, const std::vector<int>& choices);

// Choices of a low cost, by cuts (Boykov, Veksler, Zabih, "Fast approximate
// energy minimization via graph cuts", 2001): of all ways to change some sites
// to one layout, the best is taken, layout after layout, until none helps. It
// is the least cost where there are two layouts, and never more than that of
// each site's first choice, which is what they begin with.
std::vector<int> ChooseLayouts(const LayoutProblem& problem);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_LAYOUT_PROBLEM_H_
