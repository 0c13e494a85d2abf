// What the plans of one inference took in the processor's own time.
#ifndef DOVETAIL_BACKENDS_VPU_SIMULATOR_TIMELINE_H_
#define DOVETAIL_BACKENDS_VPU_SIMULATOR_TIMELINE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/common/plan/run_environment.h"
#include "dovetail/backends/vpu/program/program.h"
#include "dovetail/core/plugin/profiling.h"

namespace dovetail::vpu {

// One a context; plans note in it that they run.
class Timeline : public LibraryState {
 public:
  // That of a context whose environment it is; made when first asked for.
  static Timeline& Of(RunEnvironment& environment);

  // An inference begins.
  void Begin() { programs_.clear(); }
  // `program` runs, behind what ran before.
  void Add(std::shared_ptr<const Program> program) {
    programs_.push_back(std::move(program));
  }

  // Whether a layer of that name is in what ran.
  bool Has(absl::string_view layer) const;

  // One behind the other, from time 0 on, which is `start_ns`: for each layer
  // (with `by_stage`, each stage) a record with the processor's time, its lanes
  // (of a layer those of its longest stage) and "cycles", "macs" and "bytes" as
  // counters; conversions of inputs are
  // "<Extra>". Their durations add up to those of all stages but for rounding
  // to ns; their cycles add up exactly. Layers that go into others are
  // kOptimizedOut, views kNotRun.
  std::vector<ProfilingRecord> Records(int64_t start_ns, bool by_stage) const;

 private:
  std::vector<std::shared_ptr<const Program>> programs_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SIMULATOR_TIMELINE_H_
