// The bytes of a built program: what the driver gave of it, and what it is of.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_PROGRAM_BINARY_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_PROGRAM_BINARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/program/joined_source.h"

namespace dovetail::gpu {

// Grows when the bytes or what the kernels' texts mean changes.
constexpr uint64_t kBinaryFormatVersion = 1;

struct ProgramBinary {
  std::string device;  // DeviceTraits::BinaryIdentity
  std::string key;     // ClProgram::Key
  std::vector<JoinedSource::Place> places;
  std::vector<std::string> programs;  // of the driver
};

std::string WriteProgramBinary(const ProgramBinary& binary);

// kDataLoss for anything but what WriteProgramBinary has written: drivers may
// end the process over a binary that is damaged. kFailedPrecondition for
// another version of the format.
absl::StatusOr<ProgramBinary> ParseProgramBinary(absl::string_view bytes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_PROGRAM_BINARY_H_
