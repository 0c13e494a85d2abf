#include "dovetail/backends/common/compiler/layouts/layout_problem.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr Layout kPlanar = Layout::kPlanar, kLast = Layout::kChannelsLast,
                 kBlocks = Layout::kBlocked16;
constexpr int kFormats = 5;  // a number for each layout, and one more
using Choices = std::vector<int>;

// A site that follows what it reads, or that has one layout only.
std::vector<LayoutChoice> Any() { return {{kPlanar}, {kLast}}; }
std::vector<LayoutChoice> Only(Layout layout) { return {{layout}}; }

LayoutValue::End End(const LayoutProblem& problem, int site) {
  LayoutValue::End end{site, {}};
  for (const LayoutChoice& choice : problem.sites[site]) {
    end.formats.push_back(static_cast<int>(choice.layout));
  }
  return end;
}

void AddValue(LayoutProblem& problem, int writer,
              const std::vector<int>& readers, int64_t cost) {
  LayoutValue value;
  value.writer = End(problem, writer);
  for (const int reader : readers) {
    value.readers.push_back(End(problem, reader));
  }
  value.copy_costs.assign(kFormats, cost);
  problem.values.push_back(value);
}

int64_t LeastOf(const LayoutProblem& problem) {
  Choices choices(problem.sites.size(), 0);
  int64_t least = CostOf(problem, choices);
  while (true) {
    size_t site = 0;
    while (site < choices.size() &&
           ++choices[site] == static_cast<int>(problem.sites[site].size())) {
      choices[site++] = 0;
    }
    if (site == choices.size()) return least;
    least = std::min(least, CostOf(problem, choices));
  }
}

TEST(LayoutProblem, CopiesTheSmallestValueOfAChain) {
  LayoutProblem problem;
  problem.sites = {Only(kLast), Any(), Any(), Only(kPlanar)};
  AddValue(problem, 0, {1}, 30);
  AddValue(problem, 1, {2}, 10);
  AddValue(problem, 2, {3}, 20);
  const Choices choices = ChooseLayouts(problem);
  EXPECT_EQ(choices, Choices({0, 1, 0, 0}));
  EXPECT_EQ(CostOf(problem, choices), 10);
}

TEST(LayoutProblem, CopiesOnceForAllWhoRead) {
  LayoutProblem problem;
  // Two readers want the other layout, one what is written.
  problem.sites = {Only(kLast), Only(kPlanar), Only(kPlanar), Only(kLast)};
  AddValue(problem, 0, {1, 2, 3}, 10);
  EXPECT_EQ(CostOf(problem, {0, 0, 0, 0}), 10);
  // So it is better to copy the value than what each of two makes of it.
  problem.sites = {Only(kLast), Any(), Any(), Only(kPlanar), Only(kPlanar)};
  problem.values.clear();
  AddValue(problem, 0, {1, 2}, 10);
  AddValue(problem, 1, {3}, 6);
  AddValue(problem, 2, {4}, 6);
  problem.sites[1] = problem.sites[2] = {{kLast}, {kPlanar}};
  problem.values[0].readers = {End(problem, 1), End(problem, 2)};
  problem.values[1].writer = End(problem, 1);
  problem.values[2].writer = End(problem, 2);
  EXPECT_EQ(CostOf(problem, {0, 0, 0, 0, 0}), 12);
  EXPECT_EQ(ChooseLayouts(problem), Choices({0, 1, 1, 0, 0}));
}

TEST(LayoutProblem, DoesNotGoBackAndForth) {
  LayoutProblem problem;
  // A step that is a little faster planar, between two that are channels last.
  problem.sites = {Only(kLast), {{kPlanar, 0}, {kLast, 5}}, Only(kLast)};
  AddValue(problem, 0, {1}, 10);
  AddValue(problem, 1, {2}, 10);
  EXPECT_EQ(ChooseLayouts(problem), Choices({0, 1, 0}));
  problem.sites[1][1].cost = 25;
  EXPECT_EQ(ChooseLayouts(problem), Choices({0, 0, 0}));
}

// As of a value that is written in another type than it is read.
TEST(LayoutProblem, CopiesWhatNobodyWritesAsItIsRead) {
  LayoutProblem problem;
  problem.sites = {Only(kLast), Any()};
  AddValue(problem, 0, {1}, 10);
  problem.values[0].writer.formats = {kFormats - 1};
  EXPECT_EQ(CostOf(problem, {0, 0}), 10);
  EXPECT_EQ(CostOf(problem, {0, 1}), 10);
  problem.values[0].copy_costs[static_cast<int>(kLast)] = 8;
  EXPECT_EQ(ChooseLayouts(problem), Choices({0, 1}));
}

// A step that writes planar whatever it reads, as a transposition may.
TEST(LayoutProblem, SeesValuesAsTheirEndsDo) {
  LayoutProblem problem;
  problem.sites = {Only(kLast), {{kPlanar, 10}, {kLast, 0}}, Only(kPlanar)};
  AddValue(problem, 0, {1}, 20);
  AddValue(problem, 1, {2}, 20);
  const int planar = static_cast<int>(kPlanar);
  problem.values[1].writer.formats = {planar, planar};
  const Choices choices = ChooseLayouts(problem);
  EXPECT_EQ(choices, Choices({0, 1, 0}));
  EXPECT_EQ(CostOf(problem, choices), 0);
}

class RandomProblem {
 public:
  RandomProblem(uint32_t seed, const std::vector<Layout>& layouts)
      : random_(seed), layouts_(layouts) {
    const int sites = 2 + Below(6);
    for (int i = 0; i < sites; ++i) problem_.sites.push_back(Site());
    for (int i = 0; i + 1 < sites; ++i) {
      std::vector<int> readers;
      for (int k = Below(3); k >= 0; --k) {
        readers.push_back(i + 1 + Below(sites - i - 1));
      }
      AddValue(problem_, i, readers, Below(20));
      if (Below(8) == 0) {
        auto& written = problem_.values.back().writer.formats;
        std::fill(written.begin(), written.end(), kFormats - 1);
      }
    }
  }
  const LayoutProblem& problem() const { return problem_; }

 private:
  int Below(int end) {
    return static_cast<int>(random_() % static_cast<unsigned>(end));
  }
  std::vector<LayoutChoice> Site() {
    std::vector<LayoutChoice> site;
    for (const Layout layout : layouts_) site.push_back({layout, Below(6)});
    std::swap(site[0], site[Below(static_cast<int>(site.size()))]);
    if (Below(2) == 0) site.resize(1);
    return site;
  }

  std::mt19937 random_;
  const std::vector<Layout> layouts_;
  LayoutProblem problem_;
};

TEST(LayoutProblem, IsTheLeastOfTwoLayouts) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const RandomProblem random(seed, {kPlanar, kLast});
    const LayoutProblem& problem = random.problem();
    EXPECT_EQ(CostOf(problem, ChooseLayouts(problem)), LeastOf(problem))
        << "seed " << seed;
  }
}

TEST(LayoutProblem, IsNearTheLeastOfThreeLayouts) {
  int64_t sum = 0, least = 0, first = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const RandomProblem random(seed, {kPlanar, kLast, kBlocks});
    const LayoutProblem& problem = random.problem();
    const int64_t cost = CostOf(problem, ChooseLayouts(problem));
    const int64_t begin = CostOf(problem, Choices(problem.sites.size(), 0));
    EXPECT_LE(cost, begin) << "seed " << seed;
    sum += cost;
    first += begin;
    least += LeastOf(problem);
  }
  EXPECT_LE(sum - least, (first - least) / 50);
}

}  // namespace
}  // namespace dovetail
