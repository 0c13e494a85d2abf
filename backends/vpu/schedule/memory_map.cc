#include "dovetail/backends/vpu/schedule/memory_map.h"

#include <algorithm>
#include <cstddef>

#include "dovetail/backends/common/plan/arena_planner.h"

namespace dovetail::vpu {
namespace {

// From the first write to the last reading, as numbers of stages: an engine's
// and the one that is injected into it are two.
struct Life {
  int first = kNone, last = kNone;
  int last_layer = kNone;
};

std::vector<Life> LivesOf(const StageGraph& graph) {
  std::vector<Life> lives(graph.buffers.size());
  const auto touch = [&](int buffer, int position, int layer) {
    Life& life = lives[graph.Root(buffer)];
    if (life.first == kNone) life.first = position;
    life.last = std::max(life.last, position);
    life.last_layer = std::max(life.last_layer, layer);
  };
  int stage = 0;
  for (const int index : graph.order) {
    const bool is_two = graph.work[index].injected != kNone;
    const int last = stage + (is_two ? 1 : 0);
    graph.VisitWithInjected(index, [&](const Work& work) {
      for (const int input : work.inputs) touch(input, last, work.layer);
      touch(work.output, stage, work.layer);
      touch(work.output, last, work.layer);
    });
    stage = last + 1;
  }
  return lives;
}

std::string WhyInDdr(const Buffer& buffer) {
  if (buffer.place == Place::kCmx) return "";
  if (!buffer.reason.empty()) return buffer.reason;
  return "no engine wrote it, and none reads it";
}

}  // namespace

std::vector<Allocation> MapMemory(const StageGraph& graph,
                                  const CmxPlan& plan) {
  const std::vector<Life> lives = LivesOf(graph);
  std::vector<ArenaRequest> requests;
  std::vector<Allocation> all;
  std::vector<size_t> in_ddr;
  for (size_t i = 0; i < graph.buffers.size(); ++i) {
    const Buffer& buffer = graph.buffers[i];
    if (buffer.parent != kNone || lives[i].first == kNone) continue;
    Allocation one;
    one.layer = buffer.layer;
    one.place = buffer.place;
    one.bytes = buffer.bytes;
    one.last = std::max(buffer.layer, lives[i].last_layer);
    one.first_stage = lives[i].first;
    one.last_stage = lives[i].last;
    one.reason = WhyInDdr(buffer);
    if (one.place == Place::kCmx) {
      one.offset = plan.offsets[i];
    } else {
      requests.push_back({one.bytes, lives[i].first, lives[i].last});
      in_ddr.push_back(all.size());
    }
    all.push_back(one);
  }
  const ArenaPlan ddr = PlanArena(requests, {});
  for (size_t i = 0; i < in_ddr.size(); ++i) {
    all[in_ddr[i]].offset = ddr.offsets[i];
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Allocation& a, const Allocation& b) {
                     return a.layer < b.layer;
                   });
  return all;
}

}  // namespace dovetail::vpu
