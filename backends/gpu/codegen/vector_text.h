// Text that handles vectors of a number of lanes, 1 included.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_VECTOR_TEXT_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_VECTOR_TEXT_H_

#include <string>

namespace dovetail::gpu {

// "float16"; "float" for one lane.
std::string FloatVector(int lanes);

// Functions, a KernelWriter's helper, of a few lanes at the end of a row:
//   float16 load_lanes16(const __global float* from, int left);
//   void store_lanes16(float16 v, __global float* to, int left);
//   float16 keep_lanes16(float16 v, int left);
// They read and write no more than `left` elements, at any address, and the
// lanes after those are zeros.
std::string LaneFunctions(int lanes);

// Functions, a KernelWriter's helper, of lanes that are `step` elements apart:
//   float16 load_step16(const __global float* from, int step);
//   void store_step16(float16 v, __global float* to, int step);
std::string StepFunctions(int lanes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_VECTOR_TEXT_H_
