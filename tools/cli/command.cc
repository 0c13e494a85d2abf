#include "dovetail/tools/cli/command.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/core/base/nearest.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cli {
namespace {

std::string ProgramHelp(const std::vector<Command>& commands) {
  std::string text =
      "dovetail: runs trained neural networks on interchangeable devices\n\n"
      "usage: dovetail COMMAND [FLAGS]\n\n";
  size_t width = 0;
  for (const Command& command : commands) {
    width = std::max(width, command.name.size());
  }
  for (const Command& command : commands) {
    absl::StrAppend(&text, "  ", command.name,
                    std::string(width - command.name.size() + 2, ' '),
                    command.summary, "\n");
  }
  absl::StrAppend(&text, "\ndovetail COMMAND --help tells more.\n");
  return text;
}

std::string CommandHelp(const Command& command) {
  return absl::StrCat(command.summary, "\n\nusage: dovetail ", command.name,
                      command.operand.empty() ? "" : " ", command.operand,
                      " [FLAGS]\n\n", DescribeFlags(command.flags));
}

int Wrong(const absl::Status& status, std::ostream& err) {
  // One line, whatever the message holds.
  err << "dovetail: "
      << absl::StrReplaceAll(std::string(status.message()), {{"\n", "; "}})
      << "\n";
  return kWrong;
}

const Command* FindCommand(const std::vector<Command>& commands,
                           absl::string_view name) {
  for (const Command& command : commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

absl::Status UnknownCommand(const std::vector<Command>& commands,
                            absl::string_view name) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.emplace_back(command.name);
  const std::string nearest = Nearest(name, names);
  return InvalidArgument(
      "unknown command '", name, "'",
      nearest.empty() ? "; dovetail --help lists the commands"
                      : absl::StrCat("; did you mean '", nearest, "'?"));
}

}  // namespace

int RunProgram(const std::vector<Command>& commands,
               const std::vector<std::string>& words, std::ostream& out,
               std::ostream& err) {
  if (words.empty()) {
    err << ProgramHelp(commands);
    return kWrong;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    out << ProgramHelp(commands);
    return kDone;
  }
  const Command* command = FindCommand(commands, words[0]);
  if (command == nullptr) {
    return Wrong(UnknownCommand(commands, words[0]), err);
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  for (const std::string& word : rest) {
    if (word != "--help" && word != "-h") continue;
    out << CommandHelp(*command);
    return kDone;
  }
  const absl::StatusOr<Arguments> arguments =
      Arguments::Parse(command->flags, rest);
  if (!arguments.ok()) return Wrong(arguments.status(), err);
  const absl::StatusOr<int> code = command->run(*arguments, out);
  if (!code.ok()) return Wrong(code.status(), err);
  return *code;
}

}  // namespace dovetail::cli
