// The stages of a layer that a neural engine computes, and their times.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_CONVOLUTION_STAGES_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_CONVOLUTION_STAGES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

// Appends the stages of one convolution of this shape, SHAVE stages where no
// tile fits an engine. `in_ddr` says why the input is in DDR; empty for CMX.
void AddConvolution(const Machine& machine, const ConvShape& shape, int layer,
                    absl::string_view name, absl::string_view in_ddr,
                    Stages& stages);
// The same for a pooling of shape.out_channels channels.
void AddPool(const Machine& machine, const ConvShape& shape, int layer,
             absl::string_view name, Stages& stages);

// `bursts` runs of `bytes` that DMA moves, in cycles.
double DmaCycles(const Machine& machine, int64_t bursts, int64_t bytes);
// Multiply-adds of SHAVEs at their peak, which no measurement bears out.
double ShaveProductCycles(const Machine& machine, int64_t macs);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_CONVOLUTION_STAGES_H_
