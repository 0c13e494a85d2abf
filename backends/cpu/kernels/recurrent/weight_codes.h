// Weights of f32 that were integers of 8 bits before they were given a scale.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_WEIGHT_CODES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_WEIGHT_CODES_H_

#include <cstdint>

namespace dovetail::cpu {

// The scale of which all numbers are multiples by integers from -128 to 127,
// but for roundings of f32; 0: there is none. 1 for zeros.
float ScaleOfCodes(const float* numbers, int64_t count);

// Whether there is one for each row of a dense matrix.
bool RowsHaveCodes(const float* matrix, int64_t rows, int64_t columns);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_WEIGHT_CODES_H_
