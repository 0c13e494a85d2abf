// Emitters of convolutions.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_TABLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// To be asked before those of elementwise operations: conversions from
// integers and zero points that convolutions take in are in it.
absl::Span<const EmitterRow> ConvolutionEmitters();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_TABLE_H_
