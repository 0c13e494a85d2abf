#include "dovetail/tools/estimating/loop_inferences.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

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
    return record;
  }
  const Stage& stage = program.stages()[span.stage];
  const vpu::Layer& layer = program.network()[stage.layer];
  record.name = stage.name;
  record.type = layer.type;
  record.kernel = program.KernelName(layer.name);
  record.lane = absl::StrCat(vpu::Name(stage.lane), " ", executor);
  record.counters = {{"cycles", stage.cycles},
                     {"macs", stage.macs},
                     {"bytes", stage.bytes}};
  return record;
}

}  // namespace

std::deque<profiling::Inference> InferencesOf(const Program& program,
                                              const vpu::LoopTimes& loop) {
  std::deque<profiling::Inference> inferences;
  for (const LoopRound& round : loop.rounds) {
    profiling::Inference inference;
    inference.start_ns = Nanoseconds(round.spans.front().begin);
    inference.duration_ns =
        Nanoseconds(round.spans.back().end) - inference.start_ns;
    for (const LoopSpan& span : round.spans) {
      inference.records.push_back(RecordOf(program, round.executor, span));
    }
    inferences.push_back(std::move(inference));
  }
  return inferences;
}

}  // namespace dovetail::cli
