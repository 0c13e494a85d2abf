// The program's subcommands, one file each.
#ifndef DOVETAIL_TOOLS_COMMANDS_COMMANDS_H_
#define DOVETAIL_TOOLS_COMMANDS_COMMANDS_H_

#include "dovetail/tools/cli/command.h"

namespace dovetail::cli {

Command DevicesCommand();
Command RunCommand();
Command CompileCommand();
Command BenchmarkCommand();
Command ProfileCommand();
Command CompareCommand();
Command QueryCommand();
Command EstimateCommand();
Command CompileKernelCommand();
Command InspectCommand();
Command ConformanceCommand();
Command OperationsCommand();

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_COMMANDS_COMMANDS_H_
