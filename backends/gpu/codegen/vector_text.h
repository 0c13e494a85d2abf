// Text that handles vectors of a number of lanes, 1 included. Floats are f32 in
// registers, and f32 or f16 in memory: functions for the latter, of "half"
// pointers, have names that end in "_half".
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_VECTOR_TEXT_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_VECTOR_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/codegen/kernel_writer.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// "float16"; "float" for one lane.
std::string FloatVector(int lanes);

// What stands behind the names of functions for floats that are stored so.
absl::string_view StorageSuffix(ElementType stored);

// The vector of floats from `pointer` on; `aligned`: at an address that is a
// multiple of the vector's size.
std::string LoadFloats(ElementType stored, absl::string_view pointer, int lanes,
                       bool aligned = false);
// The float number `index` of `array`.
std::string LoadFloat(ElementType stored, absl::string_view array,
                      absl::string_view index);
// A statement without its semicolon that stores a vector from `pointer` on.
// Needs AddFloatFunctions.
std::string StoreFloats(ElementType stored, absl::string_view value,
                        absl::string_view pointer, int lanes,
                        bool aligned = false);

// Adds the functions that StoreFloats calls, of so many lanes and of one; none
// for f32:
//   void store_floats16_half(float16 v, __global half* to);
// What is finite stays so: sums of masks that mean "never" would be no numbers
// otherwise.
void AddFloatFunctions(ElementType stored, int lanes, KernelWriter& writer);

// Adds functions of a few lanes at the end of a row:
//   float16 load_lanes16(const __global float* from, int left);
//   void store_lanes16(float16 v, __global float* to, int left);
// They read and write no more than `left` elements, at any address, and the
// lanes after those are zeros.
void AddLaneFunctions(ElementType stored, int lanes, KernelWriter& writer);
// Adds a function of registers:
//   float16 keep_lanes16(float16 v, int left);
void AddKeepFunction(int lanes, KernelWriter& writer);

// Adds functions of lanes that are `step` elements apart:
//   float16 load_step16(const __global float* from, int step);
//   void store_step16(float16 v, __global float* to, int step);
void AddStepFunctions(ElementType stored, int lanes, KernelWriter& writer);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_VECTOR_TEXT_H_
