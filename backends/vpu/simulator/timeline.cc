#include "dovetail/backends/vpu/simulator/timeline.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "dovetail/backends/vpu/program/lanes.h"

namespace dovetail::vpu {
namespace {

// Virtual time as it goes by.
class Clock {
 public:
  explicit Clock(int64_t start_ns) : start_ns_(start_ns) {}

  // Where the record begins and how long it is. Ends are rounded, not
  // durations, so that these add up.
  void Spend(const Machine& machine, int64_t cycles, ProfilingRecord& record) {
    const int64_t begin = now_ns();
    us_ += machine.microseconds(static_cast<double>(cycles));
    record.start_ns = start_ns_ + begin;
    record.duration_ns = now_ns() - begin;
  }

 private:
  int64_t now_ns() const { return std::llround(us_ * 1000); }

  const int64_t start_ns_;
  double us_ = 0;
};

ProfilingRecord RecordOf(const Layer& layer) {
  ProfilingRecord record;
  const bool is_input = layer.kind == LayerKind::kInput;
  record.name = is_input ? "<Extra>" : layer.name;
  record.type = is_input ? "Convert" : layer.type;
  record.status = ProfilingRecord::Status::kExecuted;
  return record;
}

void Count(int64_t cycles, int64_t macs, int64_t bytes,
           ProfilingRecord& record) {
  record.counters = {{"cycles", cycles}, {"macs", macs}, {"bytes", bytes}};
}

// Nobody says which executor: the profile is of one inference on its own.
std::string LanesOf(const Program& program, int stage) {
  return vpu::LanesOf(program.machine(), program.stages()[stage],
                      /*executor=*/0);
}

int LongestOf(const Program& program, const std::vector<int>& stages) {
  return *std::max_element(stages.begin(), stages.end(), [&](int a, int b) {
    return program.stages()[a].cycles < program.stages()[b].cycles;
  });
}

// Layers without stages.
ProfilingRecord NotRun(const Layer& layer) {
  ProfilingRecord record = RecordOf(layer);
  // A pool is in its convolution's stages.
  record.status = absl::StartsWith(layer.reason, "goes into ") ||
                          layer.kind == LayerKind::kPool
                      ? ProfilingRecord::Status::kOptimizedOut
                      : ProfilingRecord::Status::kNotRun;
  return record;
}

void AddLayer(const Program& program, size_t index, bool by_stage, Clock& clock,
              std::vector<ProfilingRecord>& records) {
  const Layer& layer = program.network()[index];
  const LayerTime& time = program.layers()[index];
  if (time.stages.empty()) {
    records.push_back(NotRun(layer));
    return;
  }
  ProfilingRecord record = RecordOf(layer);
  record.kernel = program.KernelName(layer.name);
  if (!by_stage) {
    record.lane = LanesOf(program, LongestOf(program, time.stages));
    Count(time.cycles, time.macs, time.bytes, record);
    clock.Spend(program.machine(), time.cycles, record);
    records.push_back(std::move(record));
    return;
  }
  for (const int i : time.stages) {
    const Stage& stage = program.stages()[i];
    ProfilingRecord part = record;
    if (layer.kind != LayerKind::kInput) part.name = stage.name;
    part.lane = LanesOf(program, i);
    Count(stage.cycles, stage.macs, stage.bytes, part);
    clock.Spend(program.machine(), stage.cycles, part);
    records.push_back(std::move(part));
  }
}

}  // namespace

Timeline& Timeline::Of(RunEnvironment& environment) {
  std::unique_ptr<LibraryState>& state = environment.library_state();
  if (state == nullptr) state = std::make_unique<Timeline>();
  return static_cast<Timeline&>(*state);
}

bool Timeline::Has(absl::string_view layer) const {
  return std::any_of(programs_.begin(), programs_.end(), [&](const auto& program) {
    return program->Find(layer) != nullptr;
  });
}

std::vector<ProfilingRecord> Timeline::Records(int64_t start_ns,
                                               bool by_stage) const {
  Clock clock(start_ns);
  std::vector<ProfilingRecord> records;
  for (const std::shared_ptr<const Program>& program : programs_) {
    for (size_t i = 0; i < program->layers().size(); ++i) {
      AddLayer(*program, i, by_stage, clock, records);
    }
  }
  return records;
}

}  // namespace dovetail::vpu
