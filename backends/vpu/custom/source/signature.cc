#include "dovetail/backends/vpu/custom/source/signature.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/vpu/custom/source/source_scan.h"

namespace dovetail::vpu {
namespace {

absl::string_view Trim(absl::string_view text) {
  return absl::StripAsciiWhitespace(text);
}

// Whether the text ends in that word.
bool EndsInWord(absl::string_view text, absl::string_view word) {
  return absl::ConsumeSuffix(&text, word) &&
         (text.empty() || !IsInName(text.back()));
}

// Whether that word, or with two underscores before it, is in the text.
bool HasWord(absl::string_view text, absl::string_view word) {
  for (size_t at = text.find(word); at != absl::string_view::npos;
       at = text.find(word, at + 1)) {
    absl::string_view before = text.substr(0, at);
    absl::ConsumeSuffix(&before, "__");
    const size_t end = at + word.size();
    if ((before.empty() || !IsInName(before.back())) &&
        (end == text.size() || !IsInName(text[end]))) {
      return true;
    }
  }
  return false;
}

// Where the parenthesis that opens at `begin` closes; npos: nowhere.
size_t CloseOf(absl::string_view text, size_t begin) {
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return absl::string_view::npos;
}

// The last name of "__global half* restrict src" or "float p[4]".
std::string NameOf(absl::string_view parameter) {
  parameter = Trim(parameter.substr(0, parameter.find('[')));
  size_t begin = parameter.size();
  while (begin > 0 && IsInName(parameter[begin - 1])) --begin;
  return std::string(parameter.substr(begin));
}

Signature SignatureOf(absl::string_view parameters) {
  Signature signature;
  signature.parameters = std::string(Trim(parameters));
  if (signature.parameters.empty() || signature.parameters == "void") {
    signature.parameters.clear();
    return signature;
  }
  for (const absl::string_view one :
       absl::StrSplit(signature.parameters, ',')) {
    signature.names.push_back(NameOf(one));
  }
  return signature;
}

// Behind the quotes that begin there, at the end of the line at the latest.
size_t EndOfQuoted(absl::string_view text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

}  // namespace

std::string WithoutComments(absl::string_view source) {
  std::string text(source);
  size_t i = 0;
  while (i + 1 < text.size()) {
    if (text[i] == '"' || text[i] == '\'') {
      i = EndOfQuoted(text, i);
      continue;
    }
    const bool is_line = text[i] == '/' && text[i + 1] == '/';
    const bool is_block = text[i] == '/' && text[i + 1] == '*';
    if (!is_line && !is_block) {
      ++i;
      continue;
    }
    const size_t found = text.find(is_line ? "\n" : "*/", i + 2);
    const size_t end = found == std::string::npos ? text.size()
                                                  : found + (is_line ? 0 : 2);
    for (; i < end; ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  }
  return text;
}

std::vector<std::string> KernelNames(absl::string_view source) {
  std::vector<std::string> names;
  const std::string text = WithoutComments(source);
  const absl::string_view view = text;
  for (size_t at = view.find("void"); at != absl::string_view::npos;
       at = view.find("void", at + 1)) {
    const size_t begin = view.find_first_not_of(" \t\r\n", at + 4);
    // What stands since the last function or declaration.
    const size_t last = view.substr(0, at).find_last_of(";}");
    const size_t from = last == absl::string_view::npos ? 0 : last + 1;
    if (begin == absl::string_view::npos || begin == at + 4 ||
        !HasWord(view.substr(from, at - from), "kernel")) {
      continue;
    }
    size_t end = begin;
    while (end < view.size() && IsInName(view[end])) ++end;
    const absl::string_view name = view.substr(begin, end - begin);
    if (!name.empty() && !absl::StartsWith(name, "__dma_")) {
      names.emplace_back(name);
    }
  }
  return names;
}

std::optional<Signature> FindSignature(absl::string_view source,
                                       absl::string_view entry) {
  const std::string text = WithoutComments(source);
  const absl::string_view view = text;
  for (size_t at = view.find(entry); at != absl::string_view::npos;
       at = view.find(entry, at + 1)) {
    const absl::string_view before = Trim(view.substr(0, at));
    if (at > 0 && IsInName(view[at - 1])) continue;
    if (!EndsInWord(before, "void")) continue;
    const size_t open = view.find_first_not_of(" \t\r\n", at + entry.size());
    if (open == absl::string_view::npos || view[open] != '(') continue;
    const size_t close = CloseOf(view, open);
    if (close == absl::string_view::npos) continue;
    if (!absl::StartsWith(Trim(view.substr(close + 1)), "{")) continue;
    return SignatureOf(view.substr(open + 1, close - open - 1));
  }
  return std::nullopt;
}

}  // namespace dovetail::vpu
