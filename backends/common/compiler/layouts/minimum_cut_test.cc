#include "dovetail/backends/common/compiler/layouts/minimum_cut.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Costs as they were added, to be summed for given sides.
class Costs {
 public:
  explicit Costs(int nodes) : nodes_(nodes) {
    for (int i = 0; i < nodes; ++i) numbers_.push_back(cut_.AddNode());
  }
  void Of(int node, bool side, int64_t cost) {
    cut_.AddCost(numbers_[node], side, cost);
    singles_.push_back({node, side, cost});
  }
  void Of(int a, int b, int64_t cost) {
    cut_.AddCost(numbers_[a], numbers_[b], cost);
    pairs_.push_back({a, b, cost});
  }

  int64_t Sum(const std::vector<bool>& sides) const {
    int64_t sum = 0;
    for (const auto& [node, side, cost] : singles_) {
      if (sides[node] == side) sum += cost;
    }
    for (const auto& [a, b, cost] : pairs_) {
      if (!sides[a] && sides[b]) sum += cost;
    }
    return sum;
  }
  std::vector<bool> Solve() {
    const std::vector<bool> all = cut_.Solve();
    std::vector<bool> sides;
    for (const int number : numbers_) sides.push_back(all[number]);
    return sides;
  }
  int64_t Least() const {
    int64_t least = MinimumCut::kNever;
    for (int bits = 0; bits < 1 << nodes_; ++bits) {
      least = std::min(least, Sum(SidesOf(bits)));
    }
    return least;
  }

 private:
  struct Single {
    int node;
    bool side;
    int64_t cost;
  };
  struct Pair {
    int a, b;
    int64_t cost;
  };
  std::vector<bool> SidesOf(int bits) const {
    std::vector<bool> sides;
    for (int i = 0; i < nodes_; ++i) sides.push_back((bits >> i & 1) != 0);
    return sides;
  }

  const int nodes_;
  MinimumCut cut_;
  std::vector<int> numbers_;
  std::vector<Single> singles_;
  std::vector<Pair> pairs_;
};

TEST(MinimumCut, CutsWhereItCostsLeast) {
  Costs costs(3);
  costs.Of(0, true, MinimumCut::kNever);
  costs.Of(0, 1, 5);
  costs.Of(1, 2, 2);
  costs.Of(2, false, MinimumCut::kNever);
  EXPECT_EQ(costs.Solve(), std::vector<bool>({false, false, true}));
}

TEST(MinimumCut, LeavesWhatCostsTheSame) {
  Costs costs(2);
  costs.Of(0, true, 3);
  costs.Of(0, 1, 3);
  costs.Of(1, false, 3);
  EXPECT_EQ(costs.Solve(), std::vector<bool>({false, false}));
}

TEST(MinimumCut, IsTheLeastOfAll) {
  std::mt19937 random(1);
  const auto below = [&](int end) {
    return static_cast<int>(random() % static_cast<unsigned>(end));
  };
  for (int round = 0; round < 300; ++round) {
    const int nodes = 2 + below(8);
    Costs costs(nodes);
    for (int i = below(3 * nodes); i > 0; --i) {
      costs.Of(below(nodes), below(2) != 0, below(20));
    }
    for (int i = below(4 * nodes); i > 0; --i) {
      costs.Of(below(nodes), below(nodes), below(20));
    }
    EXPECT_EQ(costs.Sum(costs.Solve()), costs.Least()) << "round " << round;
  }
}

TEST(MinimumCut, TakesPathsAsLongAsANetworkIsDeep) {
  constexpr int kNodes = 100000, kCheapest = 70000;
  Costs costs(kNodes);
  costs.Of(0, true, MinimumCut::kNever);
  for (int i = 0; i + 1 < kNodes; ++i) {
    costs.Of(i, i + 1, i == kCheapest ? 1 : 2 + i % 7);
  }
  costs.Of(kNodes - 1, false, MinimumCut::kNever);
  const std::vector<bool> sides = costs.Solve();
  EXPECT_EQ(std::count(sides.begin(), sides.end(), false), kCheapest + 1);
}

}  // namespace
}  // namespace dovetail
