#include "dovetail/extensions/ir/reader/attributes/values.h"

#include <cmath>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"

namespace dovetail::ir {
namespace {

// Enough of a wrong value to find it; attributes can be megabytes long.
std::string Quoted(absl::string_view text) {
  constexpr size_t kMax = 60;
  if (text.size() <= kMax) return absl::StrCat("'", text, "'");
  return absl::StrCat("'", text.substr(0, kMax), "…'");
}

std::vector<absl::string_view> SplitList(absl::string_view text) {
  if (absl::StripAsciiWhitespace(text).empty()) return {};
  std::vector<absl::string_view> parts = absl::StrSplit(text, ',');
  if (parts.size() > 1 && absl::StripAsciiWhitespace(parts.back()).empty()) {
    parts.pop_back();
  }
  return parts;
}

template <typename T>
absl::StatusOr<std::vector<T>> ParseList(
    absl::string_view text, absl::StatusOr<T> (*parse)(absl::string_view)) {
  std::vector<T> values;
  for (absl::string_view part : SplitList(text)) {
    absl::StatusOr<T> value = parse(part);
    if (!value.ok()) {
      return InvalidArgument(value.status().message(), " in the list ",
                             Quoted(text));
    }
    values.push_back(*value);
  }
  return values;
}

}  // namespace

absl::StatusOr<int64_t> ParseInt(absl::string_view text) {
  int64_t value;
  if (absl::SimpleAtoi(text, &value)) return value;
  return InvalidArgument(Quoted(text), " is not an integer of 64 bits");
}

absl::StatusOr<uint64_t> ParseUnsigned(absl::string_view text) {
  uint64_t value;
  if (absl::SimpleAtoi(text, &value)) return value;
  return InvalidArgument(Quoted(text),
                         " is not an unsigned integer of 64 bits");
}

absl::StatusOr<double> ParseFloat(absl::string_view text) {
  double value;
  if (!absl::SimpleAtod(text, &value)) {
    return InvalidArgument(Quoted(text), " is not a number");
  }
  if (std::isinf(value) &&
      !absl::StrContains(absl::AsciiStrToLower(text), "inf")) {
    return InvalidArgument(Quoted(text), " is beyond the range of a double");
  }
  return value;
}

absl::StatusOr<bool> ParseBool(absl::string_view text) {
  const absl::string_view word = absl::StripAsciiWhitespace(text);
  if (word == "1" || absl::EqualsIgnoreCase(word, "true")) return true;
  if (word == "0" || absl::EqualsIgnoreCase(word, "false")) return false;
  return InvalidArgument(Quoted(text), " is not true, false, 1 or 0");
}

absl::StatusOr<std::vector<int64_t>> ParseInts(absl::string_view text) {
  return ParseList<int64_t>(text, &ParseInt);
}

absl::StatusOr<std::vector<double>> ParseFloats(absl::string_view text) {
  return ParseList<double>(text, &ParseFloat);
}

std::vector<std::string> ParseStrings(absl::string_view text) {
  std::vector<std::string> values;
  for (absl::string_view part : SplitList(text)) {
    values.emplace_back(absl::StripAsciiWhitespace(part));
  }
  return values;
}

std::vector<std::string> ParseTensorNames(absl::string_view text) {
  std::vector<std::string> names;
  std::string name;
  const auto finish = [&] {
    if (!name.empty()) names.push_back(std::exchange(name, ""));
  };
  for (size_t i = 0; i < text.size(); ++i) {
    // A backslash escapes a comma and nothing else, itself neither.
    if (absl::StartsWith(text.substr(i), "\\,")) {
      name += text[++i];
    } else if (text[i] == ',') {
      finish();
    } else {
      name += text[i];
    }
  }
  finish();
  return names;
}

}  // namespace dovetail::ir
