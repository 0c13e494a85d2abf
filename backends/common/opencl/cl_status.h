// Codes of OpenCL as absl::Status.
#ifndef DOVETAIL_BACKENDS_COMMON_OPENCL_CL_STATUS_H_
#define DOVETAIL_BACKENDS_COMMON_OPENCL_CL_STATUS_H_

#include "CL/cl.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace dovetail::opencl {

// "CL_OUT_OF_RESOURCES"; "an unknown code" for those of vendors.
absl::string_view ClCodeName(cl_int code);

// OK for CL_SUCCESS, else "clFinish: CL_OUT_OF_RESOURCES (-5)", where `call`
// says what was called and, where it helps, on what:
//   kResourceExhausted   no memory or resources, of the device or the host
//   kUnavailable         no such device or platform, or the device is lost
//   kInvalidArgument     a work group that the device does not take
//   kInternal            all others: the caller's mistake or the driver's
absl::Status ClStatus(cl_int code, absl::string_view call);

}  // namespace dovetail::opencl

#endif  // DOVETAIL_BACKENDS_COMMON_OPENCL_CL_STATUS_H_
