// The instructions that this process uses: what the processor has, within the
// limit of isa_limit.h, as oneDNN generates code of them. Own kernels and
// choices between kernels ask here too, so that all of a plan agrees.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_ISA_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_ISA_H_

#include "absl/status/status.h"
#include "dovetail/backends/common/isa/isa_limit.h"

namespace dovetail::cpu {

// Gives oneDNN the limit at the first call, which has to come before oneDNN
// makes anything: CpuEngine() sees to it. At most kAvx512Amx.
Isa UsableIsa();

// Whether the device can be used: kInvalidArgument for a limit that is no
// level, kUnavailable for a processor or a limit without AVX2 and FMA, without
// which oneDNN as it is built here has no kernels, and where oneDNN takes no
// limit any more.
absl::Status CheckIsa();

// Vectors of 16 floats.
bool HasAvx512();

// Sums of four products of bytes that overflow nowhere (VNNI). Without them,
// oneDNN adds pairs of products in 16 bits.
bool HasDotProducts();

// Sums of two products of bf16 numbers, faster than those of f32.
bool HasBf16();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_ISA_H_
