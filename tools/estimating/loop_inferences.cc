#include "dovetail/tools/estimating/loop_inferences.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "dovetail/backends/vpu/program/lanes.h"

namespace dovetail::cli {
namespace {

using vpu::LoopRound;
using vpu::LoopSpan;
using vpu::Program;
using vpu::Stage;

// 0 would be no known time.
int64_t Nanoseconds(double us) { return std::llround(us * 1000) + 1; }

const char* NameOf(LoopSpan::What what) {
  switch (what) {
    case LoopSpan::What::kWaitForLink:
      return "wait for the link";
    case LoopSpan::What::kSend:
      return "inputs over the link";
    case LoopSpan::What::kWait:
      return "wait for an executor";
    case LoopSpan::What::kReceive:
      return "outputs over the link";
    default:
      return "host";
  }
}

ProfilingRecord RecordOf(const Program& program, int executor,
                         const LoopSpan& span) {
  ProfilingRecord record;
  record.status = ProfilingRecord::Status::kExecuted;
  record.start_ns = Nanoseconds(span.begin);
  record.duration_ns = Nanoseconds(span.end) - record.start_ns;
  if (span.what != LoopSpan::What::kStage) {
    record.kind = ProfilingRecord::Kind::kStage;
    record.name = NameOf(span.what);
    record.type = "Stage";
    const bool is_link = span.what == LoopSpan::What::kSend ||
                         span.what == LoopSpan::What::kReceive;
    if (is_link) record.lane = "link";
    return record;
  }
  const Stage& stage = program.stages()[span.stage];
  const vpu::Layer& layer = program.network()[stage.layer];
  record.name = stage.name;
  record.type = layer.type;
  record.kernel = program.KernelName(layer.name);
  record.lane = vpu::LanesOf(program.machine(), stage, executor);
  record.counters = {{"cycles", stage.cycles},
                     {"macs", stage.macs},
                     {"bytes", stage.bytes}};
  return record;
}

// What is hidden has no time of its own: its share of `engine`, the stage
// before it, which may be slower than alone.
LoopSpan SpanBeside(const Program& program, const LoopSpan& engine,
                    LoopSpan hidden) {
  const Stage& stage = program.stages()[hidden.stage];
  const auto cycles =
      static_cast<double>(program.stages()[engine.stage].cycles);
  const double share =
      std::min(1.0, static_cast<double>(stage.hidden_cycles) / cycles);
  hidden.begin = engine.begin;
  hidden.end = engine.begin + share * (engine.end - engine.begin);
  return hidden;
}

// Whether the span is of a stage that ran beside the one before it.
bool IsHidden(const Program& program, const LoopSpan* before,
              const LoopSpan& span) {
  return before != nullptr && before->what == LoopSpan::What::kStage &&
         span.what == LoopSpan::What::kStage &&
         program.stages()[span.stage].hidden_cycles > 0;
}

profiling::Inference InferenceOf(const Program& program,
                                 const LoopRound& round) {
  profiling::Inference inference;
  inference.start_ns = Nanoseconds(round.spans.front().begin);
  inference.duration_ns =
      Nanoseconds(round.spans.back().end) - inference.start_ns;
  const LoopSpan* before = nullptr;
  for (const LoopSpan& span : round.spans) {
    const bool is_hidden = IsHidden(program, before, span);
    (is_hidden ? inference.hidden : inference.records)
        .push_back(
            RecordOf(program, round.executor,
                     is_hidden ? SpanBeside(program, *before, span) : span));
    before = &span;
  }
  return inference;
}

}  // namespace

std::deque<profiling::Inference> InferencesOf(const Program& program,
                                              const vpu::LoopTimes& loop) {
  std::deque<profiling::Inference> inferences;
  for (const LoopRound& round : loop.rounds) {
    inferences.push_back(InferenceOf(program, round));
  }
  return inferences;
}

}  // namespace dovetail::cli
