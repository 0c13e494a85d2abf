// The program: dovetail COMMAND [FLAGS].
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "dovetail/tools/cli/command.h"
#include "dovetail/tools/commands/commands.h"

int main(int argc, char** argv) {
  using namespace dovetail::cli;  // NOLINT: main has nothing else
  const std::vector<Command> commands = {
      RunCommand(),        BenchmarkCommand(), ProfileCommand(),
      CompareCommand(),    CompileCommand(),   DevicesCommand(),
      QueryCommand(),      InspectCommand(),   ConformanceCommand(),
      OperationsCommand(), EstimateCommand(),   CompileKernelCommand(),
  };
  // argv[0] is the program, where the caller gave even that.
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  return RunProgram(commands, words, std::cout, std::cerr);
}
