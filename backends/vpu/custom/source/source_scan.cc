#include "dovetail/backends/vpu/custom/source/source_scan.h"

#include <algorithm>

namespace dovetail::vpu {

absl::string_view SourceScan::Word(size_t at) const {
  size_t end = at;
  while (end < text_.size() && IsInName(text_[end])) ++end;
  return text_.substr(at, end - at);
}

absl::string_view SourceScan::WordBefore(size_t at) const {
  while (at > 0 && absl::ascii_isspace(text_[at - 1])) --at;
  size_t begin = at;
  while (begin > 0 && IsInName(text_[begin - 1])) --begin;
  return text_.substr(begin, at - begin);
}

SourceScan::Parentheses SourceScan::ParenthesesAt(size_t at) const {
  Parentheses found;
  found.open = SkipSpace(at);
  if (found.open < text_.size() && text_[found.open] == '(') {
    found.close = CloseOf(found.open);
  }
  return found;
}

size_t SourceScan::SkipSpace(size_t at) const {
  while (at < text_.size() &&
         (absl::ascii_isspace(text_[at]) || text_[at] == '\\')) {
    ++at;
  }
  return at;
}

size_t SourceScan::SkipQuotes(size_t at) const {
  const char quote = text_[at];
  for (++at; at < text_.size() && text_[at] != quote; ++at) {
    if (text_[at] == '\\') ++at;
  }
  return std::min(at + 1, text_.size());
}

size_t SourceScan::EndOfLine(size_t at) const {
  for (; at < text_.size(); ++at) {
    if (text_[at] == '\n' && (at == 0 || text_[at - 1] != '\\')) return at;
  }
  return at;
}

size_t SourceScan::CloseOf(size_t at) const {
  int depth = 0;
  while (at < text_.size()) {
    const char c = text_[at];
    if (c == '"' || c == '\'') {
      at = SkipQuotes(at);
      continue;
    }
    if (c == '(' || c == '{' || c == '[') ++depth;
    if ((c == ')' || c == '}' || c == ']') && --depth == 0) return at;
    ++at;
  }
  return kNone;
}

size_t SourceScan::Semicolon(size_t at, size_t end) const {
  while (at < end) {
    const char c = text_[at];
    if (c == ';') return at;
    if (c == '"' || c == '\'') {
      at = SkipQuotes(at);
    } else if (c == '(' || c == '{' || c == '[') {
      const size_t close = CloseOf(at);
      if (close == kNone) return kNone;
      at = close + 1;
    } else {
      ++at;
    }
  }
  return kNone;
}

size_t SourceScan::StatementEnd(size_t at, size_t end, int level) const {
  at = SkipSpace(at);
  if (at >= end || level > kMostLevels) return end;
  if (text_[at] == '#') return StatementEnd(EndOfLine(at), end, level + 1);
  if (text_[at] == '{') {
    const size_t close = CloseOf(at);
    return close == kNone ? end : std::min(close + 1, end);
  }
  const absl::string_view word = Word(at);
  if (word == "if" || word == "for" || word == "while" || word == "switch") {
    const Parentheses head = ParenthesesAt(at + word.size());
    if (head.close == kNone) return end;
    const size_t body = StatementEnd(head.close + 1, end, level + 1);
    const size_t next = SkipSpace(body);
    if (word != "if" || next >= end || Word(next) != "else") return body;
    return StatementEnd(next + 4, end, level + 1);
  }
  if (word == "do") {
    at = StatementEnd(at + 2, end, level + 1);
  }
  const size_t semicolon = Semicolon(at, end);
  return semicolon == kNone ? end : semicolon + 1;
}

}  // namespace dovetail::vpu
