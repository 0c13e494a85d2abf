// The OpenCL of tests that counts and fails, put in the place of the real one.
#ifndef DOVETAIL_BACKENDS_GPU_TESTING_OPENCL_SHIM_H_
#define DOVETAIL_BACKENDS_GPU_TESTING_OPENCL_SHIM_H_

#include "dovetail/backends/gpu/testing/shim_control.h"

namespace dovetail::gpu {

// libopencl_shim.so, which is from now on the OpenCL of this process; null when
// it cannot be opened. Called before anything else uses OpenCL, by a test that
// Bazel started. Thread-safe.
const OpenClShim* UseOpenClShim();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_TESTING_OPENCL_SHIM_H_
