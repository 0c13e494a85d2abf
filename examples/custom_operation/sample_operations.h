// Three operations of one's own.
#ifndef CUSTOM_OPERATION_SAMPLE_OPERATIONS_H_
#define CUSTOM_OPERATION_SAMPLE_OPERATIONS_H_

#include "dovetail/extensions/custom_op/custom_op.h"

// For Core::AddExtension. Opset "sample" has
//   Squash     scale * x / (1 + |x|), of f32 and i32
//   KeepAbove  the elements above `threshold` of a vector of f32, and where
//   they
//              were; how many there are only the data tells
// and Gelu of opset7 gets a kernel that is fast and less exact.
const dovetail::OpLibrary& SampleOperations();

#endif  // CUSTOM_OPERATION_SAMPLE_OPERATIONS_H_
