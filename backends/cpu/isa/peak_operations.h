// DEVICE_GOPS: what a processor could do at most.
#ifndef DOVETAIL_BACKENDS_CPU_ISA_PEAK_OPERATIONS_H_
#define DOVETAIL_BACKENDS_CPU_ISA_PEAK_OPERATIONS_H_

#include <string>

#include "dovetail/backends/common/isa/isa_limit.h"

namespace dovetail::cpu {

// "FP32:147.2 BF16:294.4 INT8:588.8", 10^9 operations a second, for each type
// that there are instructions for: cores × clock × operations a cycle. These
// are the bytes of two vectors (two units multiply and add at a time, as in
// all processors with AVX2 that matter), by the bytes of an element, times two
// for a product and a sum; tiles do 1024 of bf16 and 2048 of bytes. A bound:
// memory, lower clocks under load and processors of one unit stay below.
std::string PeakOperations(Isa isa, int cores, double gigahertz);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ISA_PEAK_OPERATIONS_H_
