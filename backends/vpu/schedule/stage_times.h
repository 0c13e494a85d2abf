// How long each stage takes.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_STAGE_TIMES_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_STAGE_TIMES_H_

#include "dovetail/backends/vpu/compiler/custom_work.h"
#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/schedule/cmx_plan.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

// Of a graph whose passes have run, with its plan, in order. What is injected
// follows its engine's stage, which has the time of both; it has none. A custom
// layer has a stage for each of its kernels in `works`.
Stages TimeStages(const Machine& machine, const StageGraph& graph,
                  const CmxPlan& plan, const CustomWorks& works);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_STAGE_TIMES_H_
