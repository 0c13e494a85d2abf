// Programs as bytes: what exports and caches hold.
#ifndef DOVETAIL_BACKENDS_VPU_PROGRAM_PROGRAM_BYTES_H_
#define DOVETAIL_BACKENDS_VPU_PROGRAM_PROGRAM_BYTES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/program/program.h"

namespace dovetail::vpu {

// What names of sections of exports begin with; a number follows.
inline constexpr absl::string_view kProgramSection = "vpu.program.";

// A mark, the version, and four sections, each with its name and size:
// "machine" (as MachineText), "layers", "stages", "memory". The same program is the same
// bytes on every host.
std::string ProgramBytes(const Program& program);

// Whether the bytes begin as those of a program do, sound or not.
bool IsProgram(absl::string_view bytes);

// kInvalidArgument where the bytes are none of a program, kFailedPrecondition
// where they are of another version, kDataLoss, with the section, where they
// are damaged. A program that can be read has the same bytes again.
absl::StatusOr<Program> ReadProgramBytes(absl::string_view bytes);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_PROGRAM_PROGRAM_BYTES_H_
