#include "dovetail/backends/hetero/parts/partition.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/state/variable.h"

namespace dovetail::hetero {
namespace {

// Sets of nodes that run together, and which of them wait for which. A set is
// named by the number of one of its nodes.
class Groups {
 public:
  Groups(std::vector<const Node*> nodes, const Assignment& devices)
      : nodes_(std::move(nodes)), leader_(nodes_.size()) {
    std::unordered_map<const Node*, int> number;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      number[nodes_[i]] = static_cast<int>(i);
      leader_[i] = static_cast<int>(i);
      devices_.push_back(&devices.at(nodes_[i]));
    }
    readers_.resize(nodes_.size());
    for (const Node* node : nodes_) {
      for (const Value input : node->inputs()) {
        const auto it = number.find(input.node);
        if (!input || it == number.end()) continue;
        readers_[it->second].push_back(number.at(node));
      }
    }
  }

  int count() const { return static_cast<int>(nodes_.size()); }
  const Node& node(int i) const { return *nodes_[i]; }
  const std::string& device(int i) const { return *devices_[i]; }
  int LeaderOf(int i) const {
    while (leader_[i] != i) i = leader_[i];
    return i;
  }

  void Join(int a, int b) {
    a = LeaderOf(a);
    b = LeaderOf(b);
    leader_[std::max(a, b)] = std::min(a, b);
  }

  // The groups that wait for each group, by leader.
  std::vector<std::vector<int>> Edges() const {
    std::vector<std::vector<int>> edges(nodes_.size());
    for (int i = 0; i < count(); ++i) {
      const int from = LeaderOf(i);
      for (const int reader : readers_[i]) {
        const int to = LeaderOf(reader);
        if (from != to) edges[from].push_back(to);
      }
    }
    for (std::vector<int>& readers : edges) {
      std::sort(readers.begin(), readers.end());
      readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    }
    return edges;
  }

 private:
  std::vector<const Node*> nodes_;
  std::vector<int> leader_;
  std::vector<const std::string*> devices_;
  std::vector<std::vector<int>> readers_;
};

// Leaders, each behind those that it waits for; fewer than there are where some
// wait for each other.
std::vector<int> OrderOf(const Groups& groups,
                         const std::vector<std::vector<int>>& edges) {
  std::vector<int> waits(edges.size()), order;
  for (const std::vector<int>& readers : edges) {
    for (const int reader : readers) ++waits[reader];
  }
  std::map<int, bool> ready;  // by number, so that the order is the model's
  for (int i = 0; i < groups.count(); ++i) {
    if (groups.LeaderOf(i) == i && waits[i] == 0) ready[i] = true;
  }
  while (!ready.empty()) {
    const int next = ready.begin()->first;
    ready.erase(ready.begin());
    order.push_back(next);
    for (const int reader : edges[next]) {
      if (--waits[reader] == 0) ready[reader] = true;
    }
  }
  return order;
}

// All that a walk along the edges reaches from `start`, itself too.
std::vector<bool> ReachedFrom(const std::vector<std::vector<int>>& edges,
                              int start) {
  std::vector<bool> reached(edges.size());
  std::vector<int> next = {start};
  reached[start] = true;
  while (!next.empty()) {
    const int node = next.back();
    next.pop_back();
    for (const int reader : edges[node]) {
      if (reached[reader]) continue;
      reached[reader] = true;
      next.push_back(reader);
    }
  }
  return reached;
}

std::vector<std::vector<int>> Reversed(
    const std::vector<std::vector<int>>& edges) {
  std::vector<std::vector<int>> reversed(edges.size());
  for (size_t i = 0; i < edges.size(); ++i) {
    for (const int reader : edges[i]) {
      reversed[reader].push_back(static_cast<int>(i));
    }
  }
  return reversed;
}

// ---- Variables ----

// Joins two nodes with all that lies between them, which has to be of the same
// device.
absl::Status JoinWithWay(Groups& groups, int from, int to) {
  const std::vector<std::vector<int>> edges = groups.Edges();
  const int first = groups.LeaderOf(from), last = groups.LeaderOf(to);
  const std::vector<bool> after = ReachedFrom(edges, first);
  const std::vector<bool> before = ReachedFrom(Reversed(edges), last);
  for (int i = 0; i < groups.count(); ++i) {
    const int leader = groups.LeaderOf(i);
    if (!after[leader] || !before[leader]) continue;
    if (groups.device(i) != groups.device(from)) {
      return InvalidArgument(
          groups.node(from).Describe(), " and ", groups.node(to).Describe(),
          " are of one variable and of ", groups.device(from), "; ",
          groups.node(i).Describe(), " between them has to be so too, not of ",
          groups.device(i));
    }
    groups.Join(i, from);
  }
  groups.Join(from, to);
  return absl::OkStatus();
}

absl::Status JoinVariables(Groups& groups) {
  std::map<std::string, int> reader;
  for (int i = 0; i < groups.count(); ++i) {
    const std::string* const id = VariableIdOf(groups.node(i));
    if (id == nullptr) continue;
    const auto [it, is_first] = reader.emplace(*id, i);
    if (is_first) continue;
    if (groups.device(i) != groups.device(it->second)) {
      return InvalidArgument(groups.node(it->second).Describe(), " and ",
                             groups.node(i).Describe(),
                             " are of one variable, so of one device, not of ",
                             groups.device(it->second), " and ",
                             groups.device(i));
    }
    DOVETAIL_RETURN_IF_ERROR(JoinWithWay(groups, it->second, i));
  }
  return absl::OkStatus();
}

// Joins groups that wait for each other, as those of two variables may when
// each reads what the other gives.
absl::Status JoinCircles(Groups& groups) {
  const std::vector<std::vector<int>> edges = groups.Edges();
  const std::vector<std::vector<int>> reversed = Reversed(edges);
  std::vector<bool> is_ordered(edges.size());
  for (const int group : OrderOf(groups, edges)) is_ordered[group] = true;
  for (int i = 0; i < groups.count(); ++i) {
    if (groups.LeaderOf(i) != i || is_ordered[i]) continue;
    const std::vector<bool> after = ReachedFrom(edges, i);
    const std::vector<bool> before = ReachedFrom(reversed, i);
    for (int k = i + 1; k < groups.count(); ++k) {
      if (!after[k] || !before[k]) continue;
      if (groups.device(k) != groups.device(i)) {
        return InvalidArgument(groups.node(k).Describe(),
                               " is between variables of ", groups.device(i),
                               " and has to be of it too, not of ",
                               groups.device(k));
      }
      groups.Join(i, k);
    }
  }
  return absl::OkStatus();
}

// ---- Parts ----

// How many times at least the device changes on the way to each group.
std::vector<int> LevelsOf(const Groups& groups,
                          const std::vector<std::vector<int>>& edges,
                          const std::vector<int>& order) {
  std::vector<int> levels(edges.size());
  for (const int group : order) {
    for (const int reader : edges[group]) {
      const bool changes = groups.device(group) != groups.device(reader);
      levels[reader] =
          std::max(levels[reader], levels[group] + (changes ? 1 : 0));
    }
  }
  return levels;
}

// All groups of a device and a level: what they wait for is of a lower one, or
// of the same device.
void JoinLevels(Groups& groups, const std::vector<int>& order,
                const std::vector<int>& levels) {
  std::map<std::pair<std::string, int>, int> first;
  for (const int group : order) {
    const auto [it, is_new] =
        first.emplace(std::pair(groups.device(group), levels[group]), group);
    if (!is_new) groups.Join(it->second, group);
  }
}

// Whether another group waits for `a` and is waited for by `b`, or the other
// way round.
bool AreApart(const std::vector<std::vector<int>>& edges, int a, int b) {
  const auto has_way_round = [&](int from, int to) {
    for (const int reader : edges[from]) {
      if (reader != to && ReachedFrom(edges, reader)[to]) return true;
    }
    return false;
  };
  return has_way_round(a, b) || has_way_round(b, a);
}

// Joins two parts of one device that can be one; false: there are none.
bool JoinTwo(Groups& groups) {
  const std::vector<std::vector<int>> edges = groups.Edges();
  const std::vector<int> order = OrderOf(groups, edges);
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t k = i + 1; k < order.size(); ++k) {
      if (groups.device(order[i]) != groups.device(order[k])) continue;
      if (AreApart(edges, order[i], order[k])) continue;
      groups.Join(order[i], order[k]);
      return true;
    }
  }
  return false;
}

std::vector<Part> PartsOf(const Groups& groups) {
  std::vector<Part> parts;
  std::map<int, size_t> part_of;
  for (const int leader : OrderOf(groups, groups.Edges())) {
    part_of[leader] = parts.size();
    parts.push_back({groups.device(leader), {}});
  }
  for (int i = 0; i < groups.count(); ++i) {
    parts[part_of.at(groups.LeaderOf(i))].nodes.push_back(&groups.node(i));
  }
  return parts;
}

}  // namespace

absl::StatusOr<std::vector<Part>> PartitionModel(const Model& model,
                                                 const Assignment& devices) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  std::vector<const Node*> nodes;
  for (const Node* node : order) {
    if (devices.count(node) > 0) nodes.push_back(node);
  }
  Groups groups(std::move(nodes), devices);
  DOVETAIL_RETURN_IF_ERROR(JoinVariables(groups));
  DOVETAIL_RETURN_IF_ERROR(JoinCircles(groups));
  const std::vector<std::vector<int>> edges = groups.Edges();
  const std::vector<int> sorted = OrderOf(groups, edges);
  JoinLevels(groups, sorted, LevelsOf(groups, edges, sorted));
  // Beyond so many parts, fewer are not worth the time to look for them.
  constexpr size_t kFewParts = 64;
  while (OrderOf(groups, groups.Edges()).size() <= kFewParts &&
         JoinTwo(groups)) {
  }
  return PartsOf(groups);
}

}  // namespace dovetail::hetero
