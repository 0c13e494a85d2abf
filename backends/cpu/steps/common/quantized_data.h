// Values of few levels.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_COMMON_QUANTIZED_DATA_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_COMMON_QUANTIZED_DATA_H_

#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Whether a value of floats is what a quantization or a dequantization gives,
// as it is or joined with others, pooled, or moved. A linear operation that
// reads it was trained with these levels. Where it is not computed with
// integers, such as behind a Concat of values with different scales, rounding
// the levels once more, to bf16, can make a third of a result: what two numbers
// differ by is often a few levels.
bool IsOfQuantized(Value value);

// Whether it is of whole numbers that bf16 holds exactly, as AttentionLevels
// makes them.
bool IsOfWholeLevels(Value value);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_COMMON_QUANTIZED_DATA_H_
