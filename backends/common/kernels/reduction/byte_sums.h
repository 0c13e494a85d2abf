// Sums of bytes along the axes of an array.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_REDUCTION_BYTE_SUMS_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_REDUCTION_BYTE_SUMS_H_

#include <cstdint>

#include "dovetail/backends/common/kernels/reduction/reduce.h"

namespace dovetail::host {

// Units [begin, end) of a stage that sums the numbers themselves, u8 or i8, as
// RunReduceStage does of floats. Sums of up to 65536 bytes are exact.
void RunByteSums(const ReduceStage& stage, const uint8_t* in, float* out,
                 int64_t begin, int64_t end);
void RunByteSums(const ReduceStage& stage, const int8_t* in, float* out,
                 int64_t begin, int64_t end);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_REDUCTION_BYTE_SUMS_H_
