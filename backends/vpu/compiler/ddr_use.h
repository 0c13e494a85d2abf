// How much of DDR the stages of a layer take.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_DDR_USE_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_DDR_USE_H_

#include <string>
#include <vector>

#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

// Sets ddr_cycles of a stage of layer `index`, whose other cycles are known:
// copies are DDR's wholly, engines as they read an input that lies there, and
// SHAVEs by the bytes of inputs and output that lie there. `ddr` are the
// reasons of DdrReasons.
void CountDdr(const Machine& machine, const Network& network, int index,
              const std::vector<std::string>& ddr, Stage& stage);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_DDR_USE_H_
