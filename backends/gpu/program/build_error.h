// Message of a program that does not build.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_BUILD_ERROR_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_BUILD_ERROR_H_

#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/program/joined_source.h"

namespace dovetail::gpu {

// The kernel and the lines of its text around the first error that the driver's
// log places ("...:12:5: error: ..."), else the names of all kernels; and the
// log itself. It goes on where "... does not build" ends.
std::string BuildErrorMessage(const JoinedSource::Program& program,
                              absl::string_view log);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_BUILD_ERROR_H_
