#include "dovetail/backends/vpu/schedule/reorder_stages.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace dovetail::vpu {
namespace {

// A work that reads what another writes.
struct Next {
  int work = 0;
  bool is_by_view = false;  // of a part, or of a whole that it is a part of
};

class Orderer {
 public:
  explicit Orderer(const StageGraph& graph)
      : graph_(graph),
        readers_(graph.buffers.size()),
        parts_(graph.buffers.size()),
        is_seen_(graph.work.size()) {
    for (size_t i = 0; i < graph.buffers.size(); ++i) {
      const int parent = graph.buffers[i].parent;
      if (parent != kNone) parts_[parent].push_back(static_cast<int>(i));
    }
    for (const int index : graph.order) {
      graph.VisitWithInjected(index, [&](const Work& work) {
        for (const int input : work.inputs) readers_[input].push_back(index);
      });
    }
  }

  // Each work behind all that it reads: what is visited last comes first.
  std::vector<int> Order() && {
    for (auto it = graph_.order.rbegin(); it != graph_.order.rend(); ++it) {
      if (IsFirst(*it)) Visit(*it);
    }
    std::reverse(behind_.begin(), behind_.end());
    return std::move(behind_);
  }

 private:
  bool IsFirst(int index) const {
    bool is_first = true;
    graph_.VisitWithInjected(
        index, [&](const Work& work) { is_first &= work.inputs.empty(); });
    return is_first;
  }

  // Depth first, without recursion: networks are as deep as files say.
  void Visit(int first) {
    struct Frame {
      int work;
      std::vector<Next> next;  // still to be visited, the last one first
    };
    if (is_seen_[first]) return;
    is_seen_[first] = true;
    std::vector<Frame> stack = {{first, NextOf(first)}};
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next.empty()) {
        behind_.push_back(top.work);
        stack.pop_back();
        continue;
      }
      const int next = top.next.back().work;
      top.next.pop_back();
      if (is_seen_[next]) continue;
      is_seen_[next] = true;
      stack.push_back({next, NextOf(next)});
    }
  }

  std::vector<Next> NextOf(int index) const {
    std::vector<Next> next;
    graph_.VisitWithInjected(index, [&](const Work& work) {
      if (work.output != kNone) AddReadersOf(work.output, next);
    });
    std::stable_sort(
        next.begin(), next.end(),
        [&](const Next& a, const Next& b) { return RankOf(a) < RankOf(b); });
    return next;
  }

  void AddReadersOf(int output, std::vector<Next>& next) const {
    AddReaders(output, false, next);
    AddParts(output, next);
    for (int b = graph_.buffers[output].parent; b != kNone;
         b = graph_.buffers[b].parent) {
      AddReaders(b, true, next);
    }
  }

  void AddReaders(int buffer, bool is_by_view, std::vector<Next>& next) const {
    for (const int reader : readers_[buffer]) {
      next.push_back({reader, is_by_view});
    }
  }

  void AddParts(int buffer, std::vector<Next>& next) const {
    std::vector<int> left = parts_[buffer];
    while (!left.empty()) {
      const int part = left.back();
      left.pop_back();
      AddReaders(part, true, next);
      left.insert(left.end(), parts_[part].begin(), parts_[part].end());
    }
  }

  // Smaller ones come first. What is read by way of a view is behind a stage
  // of its own, which writes no CMX. The compiler numbers its stages anew as
  // it cuts convolutions, then pools.
  std::tuple<bool, bool, int, int> RankOf(const Next& next) const {
    const Work& work = graph_.work[next.work];
    const bool is_engines = work.lane == Lane::kNce;
    const int made = !is_engines ? 0 : work.kind != LayerKind::kPool ? 1 : 2;
    const bool writes_cmx =
        is_engines && !work.reads_part && graph_.IsInCmx(work.output);
    return {writes_cmx && !next.is_by_view, writes_cmx, made, next.work};
  }

  const StageGraph& graph_;
  std::vector<std::vector<int>> readers_, parts_;  // of each buffer
  std::vector<bool> is_seen_;
  std::vector<int> behind_;
};

}  // namespace

void ReorderStages(const Machine&, StageGraph& graph) {
  std::vector<int> order = Orderer(graph).Order();
  // What reads nothing that is written stays where it was.
  if (order.size() == graph.order.size()) graph.order = std::move(order);
}

}  // namespace dovetail::vpu
