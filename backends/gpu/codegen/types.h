// OpenCL C's names of element types.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_TYPES_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_TYPES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// Whether a kernel can read and write elements of the type: those of whole
// bytes, but for strings and floats of 8 bits.
bool HasClType(ElementType type);

// What elements are in memory: "float", "uchar" for boolean, "half", which
// kernels read by vload_half, and "ushort" for bf16.
absl::string_view ClType(ElementType type);

// An unsigned integer of that many bytes, 1, 2, 4 or 8: for kernels that only
// move elements.
absl::string_view ClBytes(int bytes);

// A vector of so many of them: "int16"; the type itself for one lane.
std::string ClVector(absl::string_view type, int lanes);

// "0, 1, 2": the numbers of lanes, as a vector's text has them.
std::string LaneNumbers(int lanes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_TYPES_H_
