#include "dovetail/backends/vpu/schedule/inject_work.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/schedule/cmx_plan.h"
#include "dovetail/backends/vpu/schedule/reorder_stages.h"

namespace dovetail::vpu {
namespace {

constexpr size_t kMostStages = 10000;

// The one work that writes this buffer itself, not a part of it.
int OnlyWriter(const StageGraph& graph, int buffer) {
  int writer = kNone;
  for (const int index : graph.order) {
    if (graph.work[index].output != buffer) continue;
    if (writer != kNone) return kNone;
    writer = index;
  }
  return writer;
}

bool IsSpared(const StageGraph& graph, const Work& copy) {
  const int root = graph.Root(copy.output);
  return copy.is_optional && copy.lane == Lane::kDma &&
         !graph.buffers[root].is_border &&
         graph.buffers[copy.inputs.front()].parent == kNone;
}

// Takes a copy out, so that its writer writes in its place; puts it back where
// that does not fit.
class Elimination {
 public:
  Elimination(StageGraph& graph, int copy, int writer)
      : graph_(graph),
        writer_(writer),
        from_(graph.work[copy].inputs.front()),
        root_(graph.Root(graph.work[copy].output)),
        place_(graph.buffers[root_].place),
        order_(graph.order) {
    const int to = graph.work[copy].output;
    graph.order.erase(std::find(graph.order.begin(), graph.order.end(), copy));
    graph.work[writer].output = to;
    for (const int index : graph.order) {
      for (int& input : graph.work[index].inputs) {
        if (input != from_) continue;
        input = to;
        readers_.push_back(&input);
      }
    }
    graph.buffers[root_].place = Place::kCmx;
  }

  void Undo() {
    graph_.order = std::move(order_);
    graph_.work[writer_].output = from_;
    for (int* const input : readers_) *input = from_;
    graph_.buffers[root_].place = place_;
  }

 private:
  StageGraph& graph_;
  const int writer_, from_, root_;
  const Place place_;
  std::vector<int> order_;
  std::vector<int*> readers_;
};

// When each work runs, and when each buffer is written last.
struct Times {
  std::vector<size_t> position;           // of each work in the order
  std::vector<std::vector<int>> writers;  // of each buffer
  // Of each layer whose engine reads parts of its input: the first of these
  // works. What cuts the input stands before it, where nothing moves up.
  std::map<int, size_t> cut;
};

Times TimesOf(const StageGraph& graph) {
  Times times;
  times.position.resize(graph.work.size());
  times.writers.resize(graph.buffers.size());
  for (size_t i = 0; i < graph.order.size(); ++i) {
    const Work& first = graph.work[graph.order[i]];
    if (first.reads_part) times.cut.emplace(first.layer, i);
    graph.VisitWithInjected(graph.order[i], [&](const Work& work) {
      times.position[static_cast<size_t>(&work - graph.work.data())] = i;
      const int index = static_cast<int>(&work - graph.work.data());
      for (int b = work.output; b != kNone; b = graph.buffers[b].parent) {
        times.writers[b].push_back(index);
      }
    });
  }
  return times;
}

// Whether all that this work reads is written before that position.
bool IsReadyBefore(const Work& work, size_t position, const Times& times) {
  for (const int input : work.inputs) {
    for (const int writer : times.writers[input]) {
      if (times.position[writer] >= position) return false;
    }
  }
  return true;
}

// Whether what cuts the engine's input, if anything, stands before that
// position.
bool IsCutBefore(const Work& engine, size_t position, const Times& times) {
  return !engine.reads_part || times.cut.at(engine.layer) <= position;
}

// Puts `work` beside the engine's, and all in the order that this makes.
void Inject(const Machine& machine, int engine, int work, StageGraph& graph) {
  graph.order.erase(std::find(graph.order.begin(), graph.order.end(), work));
  graph.work[engine].injected = work;
  graph.work[work].beside = engine;
  ReorderStages(machine, graph);
}

// Gives `engine` the first of `others` that fits; true where one does, which
// leaves `others`.
bool InjectInto(const Machine& machine, int engine, const Times& times,
                std::vector<int>& others, StageGraph& graph) {
  const size_t at = times.position[engine];
  for (auto it = others.begin(); it != others.end(); ++it) {
    const size_t position = times.position[*it];
    const bool is_behind = position > at;
    const Work& later = graph.work[is_behind ? *it : engine];
    if (!IsReadyBefore(later, std::min(at, position), times)) continue;
    if (!is_behind && !IsCutBefore(later, position, times)) continue;
    std::vector<int> order = graph.order;
    Inject(machine, engine, *it, graph);
    if (PlanCmx(machine, graph).fits()) {
      others.erase(it);
      return true;
    }
    graph.work[engine].injected = kNone;
    graph.work[*it].beside = kNone;
    graph.order = std::move(order);
  }
  return false;
}

void SayTooManyStages(StageGraph& graph) {
  for (const int index : graph.order) {
    Work& work = graph.work[index];
    if (work.lane != Lane::kNce) continue;
    AddReason(absl::StrCat("nothing runs beside it, in more than ", kMostStages,
                           " stages"),
              work);
  }
}

}  // namespace

void EliminateCopies(const Machine& machine, StageGraph& graph) {
  const std::vector<int> order = graph.order;
  for (const int index : order) {
    if (!IsSpared(graph, graph.work[index])) continue;
    const int writer = OnlyWriter(graph, graph.work[index].inputs.front());
    if (writer == kNone) continue;
    Elimination elimination(graph, index, writer);
    if (!PlanCmx(machine, graph).fits()) elimination.Undo();
  }
}

void InjectWork(const Machine& machine, StageGraph& graph) {
  if (graph.order.size() > kMostStages) {
    SayTooManyStages(graph);
    return;
  }
  std::vector<int> engines, others;
  for (const int index : graph.order) {
    const Work& work = graph.work[index];
    const bool is_engine = work.lane == Lane::kNce;
    const bool stays =
        work.kind == LayerKind::kInput || work.need == ShaveNeed::kMax;
    if (!stays) (is_engine ? engines : others).push_back(index);
  }
  Times times = TimesOf(graph);
  for (const int engine : engines) {
    if (InjectInto(machine, engine, times, others, graph)) {
      times = TimesOf(graph);
    }
  }
}

}  // namespace dovetail::vpu
