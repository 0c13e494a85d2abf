// Which layers' outputs are in DDR, not in CMX.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_LOCATION_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_LOCATION_H_

#include <string>
#include <vector>

#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

// For each layer the reason why its output is in DDR; empty for one in CMX.
// Indices of inputs must be below the layer's own.
std::vector<std::string> DdrReasons(const Machine& machine,
                                    const Network& network);

// Bytes of the output in CMX, where rows are whole lines.
int64_t OutputBytes(const Layer& layer);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_LOCATION_H_
