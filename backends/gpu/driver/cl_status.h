// Errors of OpenCL as absl::Status.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_CL_STATUS_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_CL_STATUS_H_

#include <string>

#include "CL/cl.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace dovetail::gpu {

// "CL_INVALID_VALUE"; the number for a code that has no name here.
std::string ClErrorName(cl_int code);

// OK for CL_SUCCESS; else names the code and the call: kResourceExhausted when
// the device or the host is out of memory, kUnavailable for a device that is
// lost, kInternal for the rest.
absl::Status ClStatus(cl_int code, absl::string_view call);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_CL_STATUS_H_
