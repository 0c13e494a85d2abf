// What of the processor runs a stage, as rows of a trace.
#ifndef DOVETAIL_BACKENDS_VPU_PROGRAM_LANES_H_
#define DOVETAIL_BACKENDS_VPU_PROGRAM_LANES_H_

#include <string>

#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

// The executor's engine, "NCE 1"; its SHAVEs that run the stage, "SHAVE 9,
// SHAVE 10", numbered as all slices of CMX are, since each works in its own; or
// "DMA", which all executors share. `executor` is below the machine's.
std::string LanesOf(const Machine& machine, const Stage& stage, int executor);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_PROGRAM_LANES_H_
