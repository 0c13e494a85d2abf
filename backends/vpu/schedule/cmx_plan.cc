#include "dovetail/backends/vpu/schedule/cmx_plan.h"

#include <algorithm>
#include <cstddef>

#include "dovetail/core/base/checked_math.h"

namespace dovetail::vpu {
namespace {

// A stack of buffers with gaps where some have gone.
class Pool {
 public:
  explicit Pool(int64_t capacity) : capacity_(capacity) {}

  int64_t end() const { return end_; }

  // The offset; kNone where there is no room.
  int64_t Take(int64_t bytes) {
    const auto best = std::min_element(gaps_.begin(), gaps_.end(),
                                       [&](const Gap& a, const Gap& b) {
                                         return Rank(a, bytes) < Rank(b, bytes);
                                       });
    if (best != gaps_.end() && best->bytes >= bytes) {
      best->bytes -= bytes;
      const int64_t offset = best->offset + best->bytes;
      if (best->bytes == 0) gaps_.erase(best);
      return offset;
    }
    if (end_ + bytes > capacity_) return kNone;
    end_ += bytes;
    return end_ - bytes;
  }

  void Give(int64_t offset, int64_t bytes) {
    Gap whole{offset, bytes};
    for (size_t i = 0; i < gaps_.size();) {
      const Gap& gap = gaps_[i];
      const bool touches = gap.offset + gap.bytes == whole.offset ||
                           whole.offset + whole.bytes == gap.offset;
      if (!touches) {
        ++i;
        continue;
      }
      whole = {std::min(gap.offset, whole.offset), gap.bytes + whole.bytes};
      gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    }
    if (whole.offset + whole.bytes == end_) {
      end_ = whole.offset;
    } else {
      gaps_.push_back(whole);
    }
  }

 private:
  struct Gap {
    int64_t offset, bytes;
  };
  // Smaller is better; what is too small is worst.
  static int64_t Rank(const Gap& gap, int64_t bytes) {
    return gap.bytes >= bytes ? gap.bytes : INT64_MAX;
  }

  const int64_t capacity_;
  int64_t end_ = 0;
  std::vector<Gap> gaps_;
};

class Planner {
 public:
  Planner(const Machine& machine, const StageGraph& graph)
      : machine_(machine),
        graph_(graph),
        pool_(static_cast<int64_t>(machine.cmx_bytes())),
        readers_(graph.buffers.size()) {
    plan_.offsets.assign(graph.buffers.size(), kNone);
    plan_.free_shaves.assign(graph.work.size(), 0);
    plan_.live_bytes.assign(graph.work.size(), 0);
    for (const int index : graph.order) {
      graph.VisitWithInjected(index, [&](const Work& work) {
        for (const int input : work.inputs) ++readers_[graph.Root(input)];
      });
    }
  }

  CmxPlan Plan() && {
    for (const int index : graph_.order) {
      Place(index);
      if (!plan_.fits()) break;
    }
    return std::move(plan_);
  }

 private:
  void Place(int index) {
    int64_t needed = 0;
    graph_.VisitWithInjected(index, [&](const Work& work) {
      needed = std::max(needed, LeastShaves(work));
      if (plan_.fits() && !PlaceOutput(work.output)) plan_.failed = index;
    });
    const int64_t shaves = FreeShaves();
    if (plan_.fits() && shaves < needed) {
      plan_.failed = index;
      plan_.lacks_shaves = true;
    }
    if (!plan_.fits()) {
      plan_.live = live_;
      return;
    }
    plan_.free_shaves[index] = shaves;
    plan_.live_bytes[index] = live_bytes_;
    const int injected = graph_.work[index].injected;
    if (injected != kNone) plan_.free_shaves[injected] = shaves;
    graph_.VisitWithInjected(index, [&](const Work& work) {
      for (const int input : work.inputs) Release(graph_.Root(input));
    });
  }

  bool PlaceOutput(int output) {
    const int root = graph_.Root(output);
    if (graph_.buffers[root].place != vpu::Place::kCmx || IsLive(root)) {
      return true;
    }
    const int64_t offset = pool_.Take(graph_.buffers[root].bytes);
    if (offset == kNone) return false;
    plan_.offsets[root] = offset;
    live_.push_back(root);
    live_bytes_ += graph_.buffers[root].bytes;
    return true;
  }

  bool IsLive(int root) const {
    return std::find(live_.begin(), live_.end(), root) != live_.end();
  }

  void Release(int root) {
    if (--readers_[root] > 0 || !IsLive(root)) return;
    live_.erase(std::find(live_.begin(), live_.end(), root));
    pool_.Give(plan_.offsets[root], graph_.buffers[root].bytes);
    live_bytes_ -= graph_.buffers[root].bytes;
  }

  int64_t LeastShaves(const Work& work) const {
    if (work.need == ShaveNeed::kNone) return 0;
    if (work.need != ShaveNeed::kMax) return 1;
    return static_cast<int64_t>(std::min(machine_.shaves, machine_.cmx_slices));
  }

  int64_t FreeShaves() const {
    const auto slices = static_cast<int64_t>(machine_.cmx_slices);
    const int64_t used =
        CeilDivide(pool_.end(), static_cast<int64_t>(machine_.cmx_slice_bytes));
    return std::min(slices - used, static_cast<int64_t>(machine_.shaves));
  }

  const Machine& machine_;
  const StageGraph& graph_;
  Pool pool_;
  std::vector<int> readers_;  // that are still to come, of each buffer
  std::vector<int> live_;
  int64_t live_bytes_ = 0;
  CmxPlan plan_;
};

}  // namespace

CmxPlan PlanCmx(const Machine& machine, const StageGraph& graph) {
  return Planner(machine, graph).Plan();
}

}  // namespace dovetail::vpu
