#include "dovetail/backends/vpu/schedule/stage_times.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/custom_stages.h"
#include "dovetail/backends/vpu/schedule/engine_times.h"

namespace dovetail::vpu {
namespace {

int64_t Cycles(double cycles) { return std::llround(cycles); }

// One record for what is done alike for each group and image of a batch.
void Repeat(int64_t times, Stage& stage) {
  if (times == 1) return;
  absl::StrAppend(&stage.name, "@x", times);
  for (int64_t* value :
       {&stage.cycles, &stage.compute_cycles, &stage.input_cycles,
        &stage.output_cycles, &stage.ddr_cycles}) {
    *value *= times;
  }
}

class Timer {
 public:
  Timer(const Machine& machine, const StageGraph& graph, const CmxPlan& plan,
        const CustomWorks& works)
      : machine_(machine), graph_(graph), plan_(plan), works_(works) {
    writes_.resize(graph.buffers.size());
    reads_.resize(graph.buffers.size());
    for (const int index : graph.order) {
      const Work& work = graph.work[index];
      if (work.lane != Lane::kNce) continue;
      writes_[work.output] = true;
      // What is cut reads by way of a stage that cuts, which is no engine's.
      if (work.reads_part) continue;
      for (const int input : work.inputs) reads_[input] = true;
    }
  }

  Stages TimeAll() {
    for (const int index : graph_.order) Add(index);
    return std::move(stages_);
  }

 private:
  void Add(int index) {
    const Work& work = graph_.work[index];
    const auto custom = works_.find(work.layer);
    if (work.kind == LayerKind::kCustom && custom != works_.end()) {
      AddCustomStages(machine_, work.layer, work.name, work.reason,
                      custom->second, stages_);
      return;
    }
    stages_.push_back(TimeOf(index));
    if (work.injected == kNone) return;
    Stage beside = TimeOf(work.injected);
    Join(stages_.back(), beside);
    stages_.push_back(std::move(beside));
  }

  // Of a stage's time, how long it reads or writes DDR, the waits for each
  // burst included.
  static int64_t MovingCycles(const Stage& stage) {
    if (stage.ddr_cycles == 0 || stage.lane == Lane::kShave) {
      return stage.ddr_cycles;
    }
    return std::min(
        stage.cycles,
        std::max(stage.input_cycles,
                 stage.lane == Lane::kDma ? stage.output_cycles : 0));
  }

  // Both at the same time: where the engine reads DDR, what the other moves
  // stands in its way for the part of its time in which it does.
  void Join(Stage& engine, Stage& other) const {
    const double held = engine.cycles > 0
                            ? static_cast<double>(MovingCycles(engine)) /
                                  static_cast<double>(engine.cycles)
                            : 0;
    const int64_t slowed =
        engine.cycles + Cycles(held * static_cast<double>(MovingCycles(other)));
    if (other.cycles > slowed) engine.bound = "beside";
    absl::StrAppend(&engine.reason, "; beside it ", other.name, " of ",
                    other.cycles, " cycles");
    absl::StrAppend(&other.reason, "; runs beside ", engine.name);
    engine.cycles = std::max(slowed, other.cycles);
    // A hidden stage's waits for first bytes are hidden, too.
    const int64_t stream =
        std::min(other.ddr_cycles, Cycles(StreamCycles(machine_, other.bytes)));
    engine.ddr_cycles =
        std::min(engine.cycles,
                 engine.ddr_cycles +
                     (other.lane == Lane::kDma ? stream : other.ddr_cycles));
    other.hidden_cycles = other.cycles;
    other.cycles = other.ddr_cycles = 0;
    other.bound = "hidden";
  }

  Stage TimeOf(int index) {
    const Work& work = graph_.work[index];
    Stage stage;
    stage.layer = work.layer;
    stage.name = work.name;
    stage.lane = work.lane;
    stage.macs = work.macs;
    stage.reason = work.reason;
    if (work.lane == Lane::kNce) {
      TimeEngineWork(work, stage);
    } else if (work.lane == Lane::kDma) {
      TimeCopy(work, stage);
    } else {
      TimeShaves(index, stage);
    }
    Repeat(work.repeats, stage);
    return stage;
  }

  bool ReadsDdr(const Work& work) const {
    return !work.inputs.empty() && !graph_.IsInCmx(work.inputs.front());
  }

  void TimeEngineWork(const Work& work, Stage& stage) {
    const bool reads_ddr = ReadsDdr(work);
    TimeEngine(machine_, work, reads_ddr, stage);
    if (!reads_ddr) return;
    const Buffer& input = graph_.buffers[graph_.Root(work.inputs.front())];
    absl::StrAppend(&stage.reason, "; input in DDR",
                    input.reason.empty() ? "" : ": ", input.reason);
  }

  // As few bursts as the rows allow: rows of an odd number of pixels are not
  // whole words, and go one by one.
  void TimeCopy(const Work& work, Stage& stage) const {
    const bool by_row = work.is_by_row || work.width % 2 == 1;
    const int64_t rows = by_row ? 1 : work.rows;
    const int64_t bursts = work.planes * (by_row ? work.rows : 1);
    stage.bytes = 2 * work.elements * work.repeats;
    stage.output_cycles =
        Cycles(DmaCycles(machine_, bursts, 2 * rows * work.width));
    stage.cycles = stage.output_cycles + Cycles(machine_.copy_stage_cycles);
    stage.ddr_cycles = stage.output_cycles;
    stage.bound = 2 * stage.output_cycles < stage.cycles ? "fixed" : "output";
  }

  int64_t Shaves(int index) const {
    const Work& work = graph_.work[index];
    const int64_t free = std::max<int64_t>(1, plan_.free_shaves[index]);
    if (work.need == ShaveNeed::kOne) return 1;
    if (work.need == ShaveNeed::kMax) return free;
    if (work.need == ShaveNeed::kTwo) return std::min<int64_t>(2, free);
    bool is_limited = work.beside != kNone || reads_[work.output];
    for (const int input : work.inputs) is_limited |= writes_[input];
    return is_limited
               ? std::min(static_cast<int64_t>(machine_.shaves_beside_hw), free)
               : free;
  }

  int64_t DdrBytes(const Work& work) const {
    const int64_t read = work.kind == LayerKind::kInput ? work.elements : 0;
    int64_t bytes = read;
    for (const int input : work.inputs) {
      const Buffer& buffer = graph_.buffers[input];
      if (graph_.IsInCmx(input)) continue;
      bytes += std::min(2 * buffer.planes * buffer.rows * buffer.width,
                        2 * std::max(work.elements, work.macs));
    }
    if (!graph_.IsInCmx(work.output)) bytes += 2 * work.elements;
    return bytes;
  }

  struct Costs {
    double stage = 0, rest = 0;
  };

  Costs ShaveCosts(const Work& work, double shaves) const {
    constexpr double kLanes = 8;
    const double elements = static_cast<double>(work.elements);
    switch (work.kind) {
      case LayerKind::kInput:
        return {machine_.convert_stage_cycles,
                machine_.convert_element_cycles * elements};
      case LayerKind::kBinary:
        return {machine_.binary_stage_cycles,
                machine_.binary_element_cycles * elements / shaves};
      case LayerKind::kProducts:
        return {machine_.unary_stage_cycles,
                static_cast<double>(work.macs) / (kLanes * shaves)};
      default:
        return {machine_.unary_stage_cycles,
                elements / shaves *
                    (machine_.unary_element_cycles +
                     (graph_.IsInCmx(work.output)
                          ? 0
                          : machine_.unary_ddr_element_cycles))};
    }
  }

  void TimeShaves(int index, Stage& stage) const {
    const Work& work = graph_.work[index];
    const int64_t shaves = stage.shaves = Shaves(index);
    const Costs costs = ShaveCosts(work, static_cast<double>(shaves));
    const int64_t ddr_bytes = DdrBytes(work);
    const double bytes = static_cast<double>(ddr_bytes);
    stage.compute_cycles = Cycles(costs.rest);
    if (work.kind != LayerKind::kInput) {
      stage.input_cycles =
          Cycles(machine_.cycles_of_ns(machine_.shave_ddr_byte_ns * bytes));
    }
    const int64_t longest = std::max(stage.compute_cycles, stage.input_cycles);
    stage.cycles = longest + Cycles(costs.stage);
    stage.ddr_cycles =
        std::min(stage.cycles, Cycles(StreamCycles(machine_, ddr_bytes)));
    stage.bound = 2 * longest < stage.cycles                   ? "fixed"
                  : stage.compute_cycles >= stage.input_cycles ? "compute"
                                                               : "input";
    if (work.kind == LayerKind::kInput) return;
    if (work.kind == LayerKind::kCustom) {
      absl::StrAppend(&stage.reason, "; counted by its elements");
    }
    absl::StrAppend(&stage.reason, stage.reason.empty() ? "" : "; ", shaves,
                    shaves == 1 ? " SHAVE" : " SHAVEs");
  }

  const Machine& machine_;
  const StageGraph& graph_;
  const CmxPlan& plan_;
  const CustomWorks& works_;
  std::vector<bool> writes_, reads_;  // of engines, of each buffer
  Stages stages_;
};

}  // namespace

Stages TimeStages(const Machine& machine, const StageGraph& graph,
                  const CmxPlan& plan, const CustomWorks& works) {
  return Timer(machine, graph, plan, works).TimeAll();
}

}  // namespace dovetail::vpu
