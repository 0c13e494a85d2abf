#include "dovetail/tools/conformance/cases/device_exceptions.h"

#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/tools/conformance/cases/case_index.h"

namespace dovetail::conformance {
namespace {

using Entry = DeviceExceptions::Entry;

// "exp_*" or "in f16 exp_*".
absl::Status AddEntry(absl::string_view text, Entry entry,
                      std::vector<Entry>& entries) {
  if (absl::ConsumePrefix(&text, "in ")) {
    const std::vector<std::string> words =
        absl::StrSplit(text, absl::MaxSplits(' ', 1));
    if (words.size() != 2) return InvalidArgument("has no pattern");
    entry.type = words[0];
    entry.pattern = words[1];
  } else {
    entry.pattern = std::string(text);
  }
  if (entry.pattern.empty() || absl::StrContains(entry.pattern, ' ')) {
    return InvalidArgument("'", entry.pattern, "' is no pattern of a name");
  }
  entries.push_back(std::move(entry));
  return absl::OkStatus();
}

absl::Status AddTolerance(absl::string_view text, DeviceExceptions& result) {
  const std::vector<std::string> words = absl::StrSplit(text, ' ');
  double share = 0;
  if (words.size() != 2 || !absl::SimpleAtod(words[1], &share) ||
      !(share >= 0 && share < 1)) {
    return InvalidArgument("'", text, "' is no type and number below 1");
  }
  result.tolerance[words[0]] = share;
  return absl::OkStatus();
}

absl::Status ParseLine(absl::string_view line, DeviceExceptions& result) {
  const std::vector<std::string> parts =
      absl::StrSplit(line, absl::MaxSplits(": ", 1));
  if (parts.size() != 2) return InvalidArgument("has no ': ' and reason");
  const Entry entry = {"", "", parts[1]};
  absl::string_view what = parts[0];
  if (absl::ConsumePrefix(&what, "unsupported ")) {
    return AddEntry(what, entry, result.unsupported);
  }
  if (absl::ConsumePrefix(&what, "expected failure ")) {
    return AddEntry(what, entry, result.expected_failures);
  }
  if (absl::ConsumePrefix(&what, "tolerance ")) {
    return AddTolerance(what, result);
  }
  if (absl::ConsumePrefix(&what, "stores ")) {
    result.stores = std::string(what);
    return absl::OkStatus();
  }
  if (!absl::ConsumePrefix(&what, "computes ")) {
    return InvalidArgument("'", what, "' begins like no entry");
  }
  result.computes_nothing = what == "nothing";
  if (!result.computes_nothing) result.computes = std::string(what);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DeviceExceptions> ParseDeviceExceptions(absl::string_view text) {
  DeviceExceptions result;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(ParseLine(line, result), absl::StrCat("line ", number)));
  }
  return result;
}

absl::StatusOr<DeviceExceptions> ReadDeviceExceptions(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  auto result = ParseDeviceExceptions(absl::string_view(
      static_cast<const char*>(file->data()), file->size()));
  if (!result.ok()) return Annotate(result.status(), path);
  return result;
}

const Entry* FindEntry(const std::vector<Entry>& entries,
                       absl::string_view case_name, absl::string_view type) {
  for (const Entry& entry : entries) {
    if (!entry.type.empty() && entry.type != type) continue;
    if (MatchesGlob(entry.pattern, case_name)) return &entry;
  }
  return nullptr;
}

}  // namespace dovetail::conformance
