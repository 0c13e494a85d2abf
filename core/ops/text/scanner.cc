#include "dovetail/core/ops/text/scanner.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"

namespace dovetail {
namespace {

// The length of the quoted text that `text` begins with, both quotes included;
// 0 when it is not closed.
size_t QuotedLength(absl::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return 0;
}

// The length of the letters, digits, underscores and `others` at the beginning.
size_t WordLength(absl::string_view text, absl::string_view others = "") {
  size_t i = 0;
  while (i < text.size() && (absl::ascii_isalnum(text[i]) || text[i] == '_' ||
                             absl::StrContains(others, text[i]))) {
    ++i;
  }
  return i;
}

}  // namespace

void Scanner::SkipSpaces() {
  const size_t start = text_.find_first_not_of(" \t\r");
  text_.remove_prefix(start == absl::string_view::npos ? text_.size() : start);
}

absl::string_view Scanner::Next() {
  SkipSpaces();
  return text_.substr(0, 20);
}

bool Scanner::at_end() {
  SkipSpaces();
  return text_.empty();
}

bool Scanner::NextIs(absl::string_view token) {
  SkipSpaces();
  return absl::StartsWith(text_, token);
}

bool Scanner::Consume(absl::string_view token) {
  SkipSpaces();
  return absl::ConsumePrefix(&text_, token);
}

absl::Status Scanner::Expect(absl::string_view token) {
  if (Consume(token)) return absl::OkStatus();
  return Error("expected '", token, "'");
}

absl::string_view Scanner::Word() {
  SkipSpaces();
  const absl::string_view word = text_.substr(0, WordLength(text_));
  text_.remove_prefix(word.size());
  return word;
}

absl::string_view Scanner::AttributeName() {
  SkipSpaces();
  const absl::string_view name = text_.substr(0, WordLength(text_, "-"));
  text_.remove_prefix(name.size());
  return name;
}

absl::StatusOr<absl::string_view> Scanner::ValueUntil(absl::string_view ends) {
  SkipSpaces();
  int depth = 0;
  for (size_t i = 0; i < text_.size(); ++i) {
    const char c = text_[i];
    if (depth == 0 && absl::StrContains(ends, c)) {
      const absl::string_view value = text_.substr(0, i);
      text_.remove_prefix(i);
      return absl::StripTrailingAsciiWhitespace(value);
    }
    if (c == '"') {
      const size_t length = QuotedLength(text_.substr(i));
      if (length == 0) return Error("a quote is not closed");
      i += length - 1;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return Error("expected one of '", ends, "' behind the value");
}

absl::StatusOr<std::string> Scanner::Quoted() {
  SkipSpaces();
  if (!absl::StartsWith(text_, "\"")) return Error("expected a quote");
  const size_t length = QuotedLength(text_);
  if (length == 0) return Error("a quote is not closed");
  std::string result, why;
  if (!absl::CUnescape(text_.substr(1, length - 2), &result, &why)) {
    return Error(why);
  }
  text_.remove_prefix(length);
  return result;
}

absl::StatusOr<int64_t> Scanner::Integer() {
  SkipSpaces();
  const size_t sign = absl::StartsWith(text_, "-") ? 1 : 0;
  const size_t length = sign + WordLength(text_.substr(sign));
  int64_t value;
  if (!absl::SimpleAtoi(text_.substr(0, length), &value)) {
    return Error("expected an integer");
  }
  text_.remove_prefix(length);
  return value;
}

absl::string_view Scanner::Rest() {
  const absl::string_view rest = absl::StripAsciiWhitespace(text_);
  text_ = absl::string_view();
  return rest;
}

}  // namespace dovetail
