// Files of programs of vision processors.
#ifndef DOVETAIL_TOOLS_ESTIMATING_PROGRAM_FILE_H_
#define DOVETAIL_TOOLS_ESTIMATING_PROGRAM_FILE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/program/program.h"

namespace dovetail::cli {

// The program in a file: its bytes, its text, or a model that was exported for
// such a device. Nothing where the file is none of these. kInvalidArgument for
// an exported model without a program, or with several. Errors of
// ReadProgramBytes and ParseProgramText.
absl::StatusOr<std::optional<vpu::Program>> ReadProgramFile(
    const std::string& path);

// As text where the path ends in ".txt", else as bytes. Errors of WriteText.
absl::Status WriteProgramFile(const vpu::Program& program,
                              const std::string& path);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_ESTIMATING_PROGRAM_FILE_H_
