// The cut of least cost through a network of choices between two sides.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_MINIMUM_CUT_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_MINIMUM_CUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dovetail {

// Puts each node on one of two sides, false or true, so that the sum of what
// that costs is least. By the maximal flow from one side to the other, which is
// found by shortest augmenting paths, many at a time (Dinic, "Algorithm for
// solution of a problem of maximum flow in networks with power estimation",
// 1970).
class MinimumCut {
 public:
  // More than any sum of costs may be.
  static constexpr int64_t kNever = int64_t{1} << 60;

  // Another node; its number.
  int AddNode();
  // What it costs to have the node on that side.
  void AddCost(int node, bool side, int64_t cost);
  // What it costs that `a` is on side false and `b` on side true. Nothing, if
  // it is the other way round.
  void AddCost(int a, int b, int64_t cost) { AddEdge(a, b, cost); }

  // The side of each node; of several least cuts, the one with the fewest nodes
  // on side true. To be called once.
  std::vector<bool> Solve();

 private:
  static constexpr int kFalse = 0, kTrue = 1;  // the sides, as nodes
  struct Edge {
    int to;
    int64_t left;  // of what may flow
  };

  void AddEdge(int from, int to, int64_t capacity);
  bool FindDistances();
  void Augment();
  bool Advance(std::vector<int>& path);
  void Push(const std::vector<int>& path);

  // An edge and the one back are neighbours: 2 k and 2 k + 1.
  std::vector<Edge> edges_;
  std::vector<std::vector<int>> edges_of_{2};
  std::vector<int> distance_;  // to side true, over edges that are not full
  std::vector<size_t> next_;   // edge to be tried
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_MINIMUM_CUT_H_
