// Stages of a network, with their times, and its memory.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_COMPILE_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_COMPILE_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/allocation.h"
#include "dovetail/backends/vpu/compiler/custom_work.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

struct Compiled {
  Stages stages;  // in the order in which one inference runs them
  std::vector<Allocation> memory;
};

// Is told of each pass's name and of what it left.
using ObservePass =
    std::function<void(absl::string_view pass, const StageGraph& graph)>;

// kInvalidArgument for an input that is not an earlier layer, and for a shape
// without elements.
//
// `works` has what custom kernels do; a custom layer that is not in it counts by
// its elements.
absl::StatusOr<Compiled> Compile(const Machine& machine, const Network& network,
                                 const CustomWorks& works = {},
                                 const ObservePass& observe = nullptr);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_COMPILE_H_
