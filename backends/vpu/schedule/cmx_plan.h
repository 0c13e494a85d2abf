// A place in CMX for each buffer that has to be there.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_CMX_PLAN_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_CMX_PLAN_H_

#include <cstdint>
#include <vector>

#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

struct CmxPlan {
  int failed = kNone;                // the first work without room
  bool lacks_shaves = false;  // that it needs, rather than room for its output
  std::vector<int> live;             // buffers in CMX then
  std::vector<int64_t> offsets;      // of each buffer, kNone for others
  std::vector<int64_t> free_shaves;  // of each work
  std::vector<int64_t> live_bytes;   // in CMX while each work runs

  bool fits() const { return failed == kNone; }
};

// Goes through the work in its order: its outputs find room, in the smallest
// gap that holds them or behind all others, then what it reads last goes.
// Outputs of work that is injected live beside their engine's. A SHAVE works in
// a slice of CMX, so that there are as many as there are slices behind all
// buffers; a stage of SHAVEs needs one, or all (ShaveNeed::kMax).
CmxPlan PlanCmx(const Machine& machine, const StageGraph& graph);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_CMX_PLAN_H_
