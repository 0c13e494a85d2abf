// Stages of a network, with their times.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_COMPILE_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_COMPILE_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

// In the order in which one inference runs them, one behind the other.
// kInvalidArgument for an input that is not an earlier layer, and for a shape
// without elements.
absl::StatusOr<Stages> Compile(const Machine& machine, const Network& network);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_COMPILE_H_
