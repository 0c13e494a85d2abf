// Stages of layers that kernels of a user's own compute.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_CUSTOM_STAGES_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_CUSTOM_STAGES_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/custom_work.h"
#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

// One for each kernel of layer `index`, for which `reason` says where its kernels
// come from. Groups go, in their order, to the SHAVE
// that is free first; a group waits for its transfers, of which DMA does one at
// a time.
void AddCustomStages(const Machine& machine, int index, absl::string_view name,
                     absl::string_view reason,
                     const std::vector<CustomWork>& works, Stages& stages);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_CUSTOM_STAGES_H_
