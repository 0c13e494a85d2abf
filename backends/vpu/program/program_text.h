// Programs as text, to be read and compared.
#ifndef DOVETAIL_BACKENDS_VPU_PROGRAM_PROGRAM_TEXT_H_
#define DOVETAIL_BACKENDS_VPU_PROGRAM_PROGRAM_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/program/program.h"

namespace dovetail::vpu {

// The version, then a line for each value of the machine, each layer, stage and
// allocation: 'layer 1 name="conv1" type="Convolution" kind=convolution inputs=0 …'.
// What is as in an empty layer or stage is left out.
std::string ProgramText(const Program& program);

// Whether the text begins as that of a program does, sound or not.
bool IsProgramText(absl::string_view text);

// From what ProgramText gives, the same program; empty lines and those that
// begin with '#' say nothing. kInvalidArgument with `name`, the line, and the
// field that is unknown, given twice, or of a wrong value;
// kFailedPrecondition for another version.
absl::StatusOr<Program> ParseProgramText(absl::string_view text,
                                         absl::string_view name);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_PROGRAM_PROGRAM_TEXT_H_
