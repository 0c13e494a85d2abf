#include "dovetail/backends/gpu/program/build_error.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace dovetail::gpu {
namespace {

constexpr int kLinesAround = 3;
// What a message quotes of a log; some drivers repeat an error for each use.
constexpr size_t kMaxLogBytes = 4000;

// The line of "/tmp/a.cl:12:5: error: ...", "12:5: error: ..." or, where a
// driver numbers its sources, "54:12:5: error: ...": the last but one of the
// first numbers that follow each other between colons.
std::optional<int> PlaceIn(absl::string_view text) {
  std::optional<int> line, column;
  for (const absl::string_view part : absl::StrSplit(text, ':')) {
    int number = 0;
    if (absl::SimpleAtoi(part, &number)) {
      line = std::exchange(column, number);
    } else if (line.has_value()) {
      return line;
    } else {
      column.reset();
    }
  }
  return line;
}

std::optional<int> FirstErrorLine(absl::string_view log) {
  for (const absl::string_view text : absl::StrSplit(log, '\n')) {
    if (!absl::StrContains(absl::AsciiStrToLower(text), "error")) continue;
    if (const auto line = PlaceIn(text)) return line;
  }
  return std::nullopt;
}

std::string LinesAround(absl::string_view source, int line) {
  const std::vector<absl::string_view> lines =
      absl::StrSplit(absl::StripSuffix(source, "\n"), '\n');
  const int first = std::max(1, line - kLinesAround);
  const int last =
      std::min(static_cast<int>(lines.size()), line + kLinesAround);
  std::string text;
  for (int i = first; i <= last; ++i) {
    absl::StrAppend(&text, i == line ? "> " : "  ", i, " | ", lines[i - 1],
                    "\n");
  }
  return text;
}

std::string AllKernels(const JoinedSource::Program& program) {
  return absl::StrJoin(program.kernels, ", ",
                       [](std::string* out, const JoinedSource::Kernel& it) {
                         absl::StrAppend(out, it.name);
                       });
}

}  // namespace

std::string BuildErrorMessage(const JoinedSource::Program& program,
                              absl::string_view log) {
  const std::optional<int> line = FirstErrorLine(log);
  std::string message;
  if (absl::StrContains(program.text, "#line ")) {
    // A user's source, whose file and line the log names itself.
    message = "\n";
  } else if (!line.has_value()) {
    message = absl::StrCat(" one of the kernels ", AllKernels(program), "\n");
  } else if (const auto* kernel = program.KernelAt(*line)) {
    message = absl::StrCat(" kernel '", kernel->name, "'\n",
                           LinesAround(program.text, *line));
  } else {
    message = absl::StrCat(" a helper of the kernels ", AllKernels(program),
                           "\n", LinesAround(program.text, *line));
  }
  const absl::string_view quoted =
      absl::StripTrailingAsciiWhitespace(log).substr(0, kMaxLogBytes);
  return absl::StrCat(message,
                      "the driver says: ", quoted.empty() ? "nothing" : quoted);
}

}  // namespace dovetail::gpu
