#include "dovetail/backends/vpu/program/program_text.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/vpu/program/fields.h"
#include "dovetail/backends/vpu/program/text_fields.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

constexpr absl::string_view kTitle = "dovetail vision program ";
constexpr absl::string_view kMachine = "machine ";
constexpr absl::string_view kLayer = "layer ";
constexpr absl::string_view kStage = "stage ";
constexpr absl::string_view kMemory = "memory ";

template <typename T, typename VisitFields>
std::string Line(const T& value, VisitFields visit_fields) {
  FieldWriter writer, defaults;
  visit_fields(value, writer);
  visit_fields(T(), defaults);
  return writer.LineWithout(defaults);
}

template <typename T, typename VisitFields>
absl::Status ReadFields(absl::string_view line, T& value,
                        VisitFields visit_fields) {
  DOVETAIL_ASSIGN_OR_RETURN(FieldReader reader, FieldReader::Of(line));
  visit_fields(value, reader);
  return reader.Finish();
}

constexpr auto kVisitLayer = [](auto&& layer, auto& visit) {
  VisitLayer(layer, visit);
};
constexpr auto kVisitStage = [](auto&& stage, auto& visit) {
  VisitStage(stage, visit);
};
constexpr auto kVisitAllocation = [](auto&& allocation, auto& visit) {
  VisitAllocation(allocation, visit);
};

// Reads line by line.
class Parser {
 public:
  absl::Status Read(absl::string_view line) {
    if (absl::ConsumePrefix(&line, kMachine)) return ReadMachineLine(line);
    if (absl::ConsumePrefix(&line, kLayer)) return ReadLayer(line);
    if (absl::ConsumePrefix(&line, kStage)) {
      return ReadFields(line, compiled_.stages.emplace_back(), kVisitStage);
    }
    if (absl::ConsumePrefix(&line, kMemory)) {
      return ReadFields(line, compiled_.memory.emplace_back(),
                        kVisitAllocation);
    }
    return InvalidArgument(
        "a line has to begin with machine, layer, stage or memory");
  }

  absl::StatusOr<Program> Finish() && {
    DOVETAIL_ASSIGN_OR_RETURN(const Machine machine,
                              ParseMachine(machine_, "the machine"));
    return Program::Of(machine, std::move(network_), std::move(compiled_));
  }

 private:
  // Checked alone too, so that an error has this line's number.
  absl::Status ReadMachineLine(absl::string_view line) {
    absl::StrAppend(&machine_, line, "\n");
    return ParseMachine(line, "the machine").status();
  }

  // "0 name=…": layers are numbered, as others read them by these numbers.
  absl::Status ReadLayer(absl::string_view line) {
    if (!absl::ConsumePrefix(&line, absl::StrCat(network_.size(), " "))) {
      return InvalidArgument("this has to be layer ", network_.size());
    }
    return ReadFields(line, network_.emplace_back(), kVisitLayer);
  }

  std::string machine_;
  Network network_;
  Compiled compiled_;
};

absl::Status CheckTitle(absl::string_view line) {
  if (!absl::ConsumePrefix(&line, kTitle)) {
    return InvalidArgument("want '", kTitle, kProgramVersion, "'");
  }
  if (line == absl::StrCat(kProgramVersion)) return absl::OkStatus();
  return FailedPrecondition("the program is of version '", line,
                            "' of the format, and this is version ",
                            kProgramVersion, "; compile the model again");
}

}  // namespace

std::string ProgramText(const Program& program) {
  std::string text = absl::StrCat(kTitle, kProgramVersion, "\n\n");
  const std::string machine = MachineText(program.machine());
  for (const absl::string_view line :
       absl::StrSplit(machine, '\n', absl::SkipEmpty())) {
    absl::StrAppend(&text, kMachine, line, "\n");
  }
  text += "\n";
  int number = 0;
  for (const Layer& layer : program.network()) {
    absl::StrAppend(&text, kLayer, number++, " ", Line(layer, kVisitLayer),
                    "\n");
  }
  text += "\n";
  for (const Stage& stage : program.stages()) {
    absl::StrAppend(&text, kStage, Line(stage, kVisitStage), "\n");
  }
  text += "\n";
  for (const Allocation& one : program.memory()) {
    absl::StrAppend(&text, kMemory, Line(one, kVisitAllocation), "\n");
  }
  return text;
}

bool IsProgramText(absl::string_view text) {
  return absl::StartsWith(text, kTitle);
}

absl::StatusOr<Program> ParseProgramText(absl::string_view text,
                                         absl::string_view name) {
  Parser parser;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    absl::Status status = absl::OkStatus();
    if (number == 1) {
      status = CheckTitle(line);
    } else if (!line.empty() && line[0] != '#') {
      status = parser.Read(line);
    }
    if (status.ok()) continue;
    return absl::Status(status.code(), absl::StrCat(name, ", line ", number,
                                                    ": ", status.message()));
  }
  auto program = std::move(parser).Finish();
  if (program.ok()) return program;
  return Annotate(program.status(), name);
}

}  // namespace dovetail::vpu
