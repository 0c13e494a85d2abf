// Rotary embedding of positions on f32.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ROTARY_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ROTARY_H_

#include <cstdint>

namespace dovetail::cpu {

// x * cos + (-b, a) * sin, where a and b are the halves of a row x of `length`
// numbers, an even one; out is another row.
void RotateRow(const float* x, const float* cos, const float* sin,
               int64_t length, float* out);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ROTARY_H_
