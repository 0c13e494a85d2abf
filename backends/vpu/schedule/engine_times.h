// How long an engine takes.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_ENGINE_TIMES_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_ENGINE_TIMES_H_

#include <cstdint>

#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

// Sets cycles, what overlaps in them, what DDR serves, and bound of one of its
// groups.
void TimeEngine(const Machine& machine, const Work& work, bool reads_ddr,
                Stage& stage);

// `bursts` runs of `bytes` that DMA moves, in cycles.
double DmaCycles(const Machine& machine, int64_t bursts, int64_t bytes);

// For how long `bytes` keep DDR's stream busy: less than what DMA takes, which
// waits for the first byte of each burst while others are served.
double StreamCycles(const Machine& machine, int64_t bytes);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_ENGINE_TIMES_H_
