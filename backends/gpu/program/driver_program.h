// A single program of the driver, from source or binary.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_DRIVER_PROGRAM_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_DRIVER_PROGRAM_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/driver/handle.h"
#include "dovetail/backends/gpu/program/joined_source.h"

namespace dovetail::gpu {

// Builds the text; errors as of ClProgram::Build.
absl::StatusOr<Program> BuildFromSource(const ClDevice& device,
                                        const JoinedSource::Program& source,
                                        const std::string& flags);

// kFailedPrecondition when the driver refuses the bytes.
absl::StatusOr<Program> BuildFromBinary(const ClDevice& device,
                                        absl::string_view binary);

// What BuildFromBinary takes. kUnavailable when the driver has none.
absl::StatusOr<std::string> BinaryOf(const ClDevice& device,
                                     const Program& program);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_DRIVER_PROGRAM_H_
