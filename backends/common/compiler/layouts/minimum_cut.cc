#include "dovetail/backends/common/compiler/layouts/minimum_cut.h"

#include <algorithm>

namespace dovetail {
namespace {

constexpr int kUnreachable = -1;

int Back(int edge) { return edge ^ 1; }

}  // namespace

int MinimumCut::AddNode() {
  edges_of_.emplace_back();
  return static_cast<int>(edges_of_.size()) - 1;
}

void MinimumCut::AddCost(int node, bool side, int64_t cost) {
  if (side) {
    AddEdge(kFalse, node, cost);
  } else {
    AddEdge(node, kTrue, cost);
  }
}

void MinimumCut::AddEdge(int from, int to, int64_t capacity) {
  if (capacity <= 0) return;
  edges_of_[from].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({to, std::min(capacity, kNever)});
  edges_of_[to].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({from, 0});
}

std::vector<bool> MinimumCut::Solve() {
  while (FindDistances()) Augment();
  std::vector<bool> sides;
  for (const int distance : distance_) {
    sides.push_back(distance != kUnreachable);
  }
  return sides;
}

// From side true backwards; whether anything can flow.
bool MinimumCut::FindDistances() {
  distance_.assign(edges_of_.size(), kUnreachable);
  distance_[kTrue] = 0;
  std::vector<int> reached = {kTrue};
  for (size_t i = 0; i < reached.size(); ++i) {
    const int node = reached[i];
    for (const int edge : edges_of_[node]) {
      const int before = edges_[edge].to;
      if (distance_[before] != kUnreachable) continue;
      if (edges_[Back(edge)].left == 0) continue;
      distance_[before] = distance_[node] + 1;
      reached.push_back(before);
    }
  }
  return distance_[kFalse] != kUnreachable;
}

// Fills paths until every one of least length has an edge that is full. What is
// walked is kept in a list, as a path may be as long as the network is deep.
void MinimumCut::Augment() {
  next_.assign(edges_of_.size(), 0);
  std::vector<int> path;
  while (true) {
    const int end = path.empty() ? kFalse : edges_[path.back()].to;
    if (end == kTrue) {
      Push(path);
      path.clear();
    } else if (!Advance(path)) {
      if (path.empty()) return;
      ++next_[edges_[Back(path.back())].to];
      path.pop_back();
    }
  }
}

// One edge further towards side true; false at a dead end.
bool MinimumCut::Advance(std::vector<int>& path) {
  const int end = path.empty() ? kFalse : edges_[path.back()].to;
  for (size_t& next = next_[end]; next < edges_of_[end].size(); ++next) {
    const int edge = edges_of_[end][next];
    const int to = edges_[edge].to;
    if (edges_[edge].left == 0 || distance_[to] != distance_[end] - 1) continue;
    path.push_back(edge);
    return true;
  }
  return false;
}

void MinimumCut::Push(const std::vector<int>& path) {
  int64_t flow = kNever;
  for (const int edge : path) flow = std::min(flow, edges_[edge].left);
  for (const int edge : path) {
    edges_[edge].left -= flow;
    edges_[Back(edge)].left += flow;
  }
}

}  // namespace dovetail
