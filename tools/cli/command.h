// A subcommand of the program.
#ifndef DOVETAIL_TOOLS_CLI_COMMAND_H_
#define DOVETAIL_TOOLS_CLI_COMMAND_H_

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/tools/cli/arguments.h"

namespace dovetail::cli {

// Exit codes: it is done; it ran and the answer is no; wrong use or input.
inline constexpr int kDone = 0;
inline constexpr int kNo = 1;
inline constexpr int kWrong = 2;

struct Command {
  absl::string_view name;     // "run"
  absl::string_view operand;  // "MODEL"
  absl::string_view summary;  // one line
  std::vector<Flag> flags;
  // Writes its answer to `out` and gives kDone or kNo; an error becomes one
  // line on stderr and kWrong.
  absl::StatusOr<int> (*run)(const Arguments& arguments, std::ostream& out);
};

// Finds and runs the command that words[0] names; --help and wrong use too.
int RunProgram(const std::vector<Command>& commands,
               const std::vector<std::string>& words, std::ostream& out,
               std::ostream& err);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_COMMAND_H_
