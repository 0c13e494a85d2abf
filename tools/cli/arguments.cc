#include "dovetail/tools/cli/arguments.h"

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/nearest.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cli {
namespace {

const Flag* FindFlag(absl::Span<const Flag> flags, absl::string_view name) {
  for (const Flag& flag : flags) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

// The flag of a word such as "-o"; null where there is none.
const Flag* FindLetter(absl::Span<const Flag> flags, absl::string_view word) {
  if (word.size() != 2 || word[0] != '-') return nullptr;
  for (const Flag& flag : flags) {
    if (flag.letter == word.substr(1)) return &flag;
  }
  return nullptr;
}

absl::Status UnknownFlag(absl::Span<const Flag> flags, absl::string_view name) {
  std::vector<std::string> names;
  for (const Flag& flag : flags) names.emplace_back(flag.name);
  const std::string nearest = Nearest(name, names);
  return InvalidArgument(
      "unknown flag --", name,
      nearest.empty() ? "; --help lists the flags"
                      : absl::StrCat("; did you mean --", nearest, "?"));
}

std::string Spelling(const Flag& flag) {
  return absl::StrCat("--", flag.name, flag.value.empty() ? "" : "=",
                      flag.value);
}

std::string AllSpellings(const Flag& flag) {
  return flag.letter.empty()
             ? Spelling(flag)
             : absl::StrCat("-", flag.letter, " ", flag.value, ", ",
                            Spelling(flag));
}

// One word that is a flag, and what follows its "=".
struct FlagWord {
  const Flag* flag = nullptr;
  std::optional<absl::string_view> value;
};

absl::StatusOr<FlagWord> ParseFlag(absl::Span<const Flag> flags,
                                   absl::string_view word) {
  if (const Flag* flag = FindLetter(flags, word)) return FlagWord{flag, {}};
  word.remove_prefix(2);
  const size_t equals = word.find('=');
  const absl::string_view name = word.substr(0, equals);
  FlagWord found = {FindFlag(flags, name), {}};
  if (found.flag == nullptr) return UnknownFlag(flags, name);
  if (equals != absl::string_view::npos) found.value = word.substr(equals + 1);
  if (found.flag->value.empty() && found.value.has_value()) {
    return InvalidArgument("flag --", name, " takes no value");
  }
  return found;
}

}  // namespace

absl::StatusOr<Arguments> Arguments::Parse(
    absl::Span<const Flag> flags, absl::Span<const std::string> words) {
  Arguments result;
  bool only_positional = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const absl::string_view word = words[i];
    const bool is_flag = !only_positional && (absl::StartsWith(word, "--") ||
                                              FindLetter(flags, word) != nullptr);
    if (!is_flag) {
      result.positional_.emplace_back(word);
      continue;
    }
    if (word == "--") {
      only_positional = true;
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(FlagWord found, ParseFlag(flags, word));
    const Flag& flag = *found.flag;
    if (!flag.value.empty() && !found.value.has_value()) {
      if (++i == words.size()) {
        return InvalidArgument("flag --", flag.name, " needs a value: ",
                               Spelling(flag));
      }
      found.value = words[i];
    }
    if (absl::StartsWith(flag.value, "FILE") && found.value->empty()) {
      return InvalidArgument("flag --", flag.name,
                             " needs the name of a file: ", Spelling(flag));
    }
    std::vector<std::string>& values = result.values_[std::string(flag.name)];
    if (!values.empty() && !flag.repeatable) {
      return InvalidArgument("flag --", flag.name, " is given twice");
    }
    values.emplace_back(found.value.value_or(""));
  }
  return result;
}

bool Arguments::Has(absl::string_view name) const {
  return values_.count(std::string(name)) > 0;
}

std::string Arguments::Get(absl::string_view name,
                           absl::string_view otherwise) const {
  const auto it = values_.find(std::string(name));
  return it == values_.end() ? std::string(otherwise) : it->second.front();
}

std::vector<std::string> Arguments::GetAll(absl::string_view name) const {
  const auto it = values_.find(std::string(name));
  return it == values_.end() ? std::vector<std::string>() : it->second;
}

absl::StatusOr<int64_t> Arguments::GetInt(absl::string_view name,
                                          int64_t otherwise, int64_t min,
                                          int64_t max) const {
  if (!Has(name)) return otherwise;
  int64_t value;
  if (!absl::SimpleAtoi(Get(name), &value) || value < min || value > max) {
    return InvalidArgument("--", name, "=", Get(name),
                           ": want a whole number from ", min, " to ", max);
  }
  return value;
}

absl::StatusOr<double> Arguments::GetDouble(absl::string_view name,
                                            double otherwise, double min,
                                            double max) const {
  if (!Has(name)) return otherwise;
  double value;
  if (!absl::SimpleAtod(Get(name), &value) || !(value >= min && value <= max)) {
    return InvalidArgument("--", name, "=", Get(name), ": want a number from ",
                           min, " to ", max);
  }
  return value;
}

absl::StatusOr<std::pair<std::string, std::string>> SplitKeyValue(
    absl::string_view flag, absl::string_view text) {
  const size_t equals = text.find('=');
  if (equals == absl::string_view::npos || equals == 0) {
    return InvalidArgument("--", flag, "=", text, ": want --", flag,
                           "=KEY=VALUE");
  }
  return std::make_pair(std::string(text.substr(0, equals)),
                        std::string(text.substr(equals + 1)));
}

std::string DescribeFlags(absl::Span<const Flag> flags) {
  size_t width = 0;
  for (const Flag& flag : flags) width = std::max(width, AllSpellings(flag).size());
  std::string text;
  for (const Flag& flag : flags) {
    const std::string spelling = AllSpellings(flag);
    absl::StrAppend(&text, "  ", spelling,
                    std::string(width - spelling.size() + 2, ' '), flag.help,
                    flag.repeatable ? " (repeatable)" : "", "\n");
  }
  return text;
}

}  // namespace dovetail::cli
