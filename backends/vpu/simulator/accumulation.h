// How an engine adds up products, and how its values show it.
#ifndef DOVETAIL_BACKENDS_VPU_SIMULATOR_ACCUMULATION_H_
#define DOVETAIL_BACKENDS_VPU_SIMULATOR_ACCUMULATION_H_

#include "absl/strings/string_view.h"
#include "dovetail/backends/common/kernels/dense/dense_convolution.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

enum class Accumulation {
  kEngine,  // f32 in an engine; sums of tiles of input channels are f16
  kF32,     // all in f32, as if nothing were cut
  kF16,     // each product and each sum rounded to f16
};

// By the names of VPU_ACCUMULATION: ENGINE, F32, F16.
Accumulation AccumulationOf(absl::string_view name);

// For a layer of convolution or product whose groups have `inputs` channels
// each; null for one that the processor's compiler does not see as a layer.
host::DenseSums SumsOf(Accumulation accumulation, const Machine& machine,
                       const Layer* layer, int64_t inputs);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SIMULATOR_ACCUMULATION_H_
