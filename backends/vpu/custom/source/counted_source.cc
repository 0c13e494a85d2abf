#include "dovetail/backends/vpu/custom/source/counted_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/custom/source/signature.h"
#include "dovetail/backends/vpu/custom/source/source_scan.h"

namespace dovetail::vpu {
namespace {

constexpr size_t kNone = SourceScan::kNone;
constexpr int kMostLevels = SourceScan::kMostLevels;

// Words before parentheses that are no calls, and calls that take no time.
bool IsFree(absl::string_view name) {
  static constexpr absl::string_view kNames[] = {
      "if",     "switch",   "return",       "sizeof",    "case",
      "else",   "defined",  "barrier",      "mem_fence", "wait_group_events",
      "kernel", "__kernel", "__attribute__"};
  static constexpr absl::string_view kPrefixes[] = {
      "get_", "async_work_group_copy", "WorkGroupDma", "WorkItemDma", "Wait",
      "as_"};
  return absl::c_linear_search(kNames, name) ||
         absl::c_any_of(kPrefixes, [&](absl::string_view prefix) {
           return absl::StartsWith(name, prefix);
         });
}

class Counter {
 public:
  explicit Counter(absl::string_view source)
      : source_(WithoutComments(source)), text_(source_), scan_(source_) {}

  std::string Run() {
    ReadFunctions();
    ReadMacros();
    Functions();
    std::stable_sort(
        inserts_.begin(), inserts_.end(),
        [](const Insert& a, const Insert& b) { return a.at < b.at; });
    std::string out;
    size_t from = 0;
    for (const Insert& one : inserts_) {
      absl::StrAppend(&out, text_.substr(from, one.at - from), one.text);
      from = one.at;
    }
    absl::StrAppend(&out, text_.substr(from));
    return out;
  }

 private:
  struct Insert {
    size_t at;
    std::string text;
  };

  void Put(size_t at, std::string text) {
    inserts_.push_back({at, std::move(text)});
  }

  // What each macro stands for, in operations.
  void ReadMacros() {
    for (size_t at = text_.find("#"); at != kNone;
         at = text_.find("#", at + 1)) {
      size_t begin = scan_.SkipSpace(at + 1);
      const size_t end = scan_.EndOfLine(at);
      if (scan_.Word(begin) != "define") continue;
      begin = scan_.SkipSpace(begin + 6);
      const absl::string_view name = scan_.Word(begin);
      begin += name.size();
      if (begin < end && text_[begin] == '(') {
        const size_t close = scan_.CloseOf(begin);
        if (close == kNone || close > end) continue;
        begin = close + 1;
      }
      // Loops in it are found where the line itself is read.
      const size_t kept = inserts_.size();
      macros_[std::string(name)] = Operations(begin, end, 0);
      inserts_.resize(kept);
    }
  }

  // Bodies at the outermost level, behind a parenthesis.
  void Functions() {
    size_t at = 0;
    char before = '\0';
    bool is_value = false;  // what is between braces is no function then
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == '=' || c == ';') is_value = c == '=';
      if (c == '#') {
        const size_t end = scan_.EndOfLine(at);
        Operations(at + 1, end, 0);
        at = end;
        continue;
      }
      if (c == '"' || c == '\'') {
        at = scan_.SkipQuotes(at);
        before = c;
        continue;
      }
      if (c != '{') {
        if (!absl::ascii_isspace(c)) before = c;
        ++at;
        continue;
      }
      const size_t close = scan_.CloseOf(at);
      const size_t end = close == kNone ? text_.size() : close;
      if (before == ')' && !is_value) {
        const size_t inserted = inserts_.size();
        const int64_t operations = Operations(at + 1, end, 0);
        inserts_.insert(
            inserts_.begin() + static_cast<ptrdiff_t>(inserted),
            {at + 1, absl::StrCat(" dovetail_go(", operations, ");")});
      }
      before = '}';
      at = end + 1;
    }
  }

  // Of a part of the text, but for what is in loops, which count by themselves.
  int64_t Operations(size_t at, size_t end, int level) {
    int64_t count = 0;
    while (at < end) {
      const char c = text_[at];
      if (c == '"' || c == '\'') {
        at = scan_.SkipQuotes(at);
      } else if (c == '#' && level < kMostLevels) {
        const size_t line = std::min(scan_.EndOfLine(at), end);
        Operations(at + 1, line, level + 1);
        at = line;
      } else if (IsInName(c)) {
        const absl::string_view word = scan_.Word(at);
        count += WordOperations(word, at, end, level);
      } else {
        count += OperatorAt(at, end);
      }
    }
    return count;
  }

  // Goes behind a word, or the statement that begins with it.
  int64_t WordOperations(absl::string_view word, size_t& at, size_t end,
                         int level) {
    const size_t behind = at + word.size();
    if (level < kMostLevels) {
      if (word == "for") return For(at, end, level);
      if (word == "while") return While(at, end, level);
      if (word == "do") return Do(at, end, level);
      if (word == "goto") return Goto(at, end);
    }
    at = behind;
    // The sign of an exponent.
    const char last = absl::ascii_tolower(word.back());
    if (absl::ascii_isdigit(word[0]) && last == 'e' && at < end &&
        word.find_first_of("xX") == kNone) {
      ++at;
      return 0;
    }
    const auto macro = macros_.find(std::string(word));
    if (macro != macros_.end()) return macro->second;
    const size_t next = scan_.SkipSpace(behind);
    const bool is_call =
        next < end && text_[next] == '(' && !absl::ascii_isdigit(word[0]);
    if (!is_call || IsFree(word)) return 0;
    return functions_.contains(std::string(word)) ? 0 : 1;
  }

  // The names of all functions that have a body.
  void ReadFunctions() {
    absl::string_view name;
    size_t at = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == '#') {
        at = scan_.EndOfLine(at);
      } else if (c == '"' || c == '\'') {
        at = scan_.SkipQuotes(at);
      } else if (c == '(' || c == '{') {
        if (c == '{' && !name.empty()) functions_.emplace(name);
        const absl::string_view before = c == '(' ? scan_.WordBefore(at) : "";
        if (before != "__attribute__") name = before;
        const size_t close = scan_.CloseOf(at);
        at = close == kNone ? text_.size() : close + 1;
      } else {
        if (c == ';' || c == '=') name = "";
        ++at;
      }
    }
  }

  // One operator, however many characters it has; brackets are an access.
  int64_t OperatorAt(size_t& at, size_t end) const {
    static constexpr absl::string_view kOperators[] = {
        "<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
        "|=",  "^=",  "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    const absl::string_view rest = text_.substr(at, end - at);
    if (absl::StartsWith(rest, "->")) {
      at += 2;
      return 0;
    }
    for (const absl::string_view one : kOperators) {
      if (!absl::StartsWith(rest, one)) continue;
      at += one.size();
      return 1;
    }
    return absl::string_view("+-*/%<>&|^!~?[").find(text_[at++]) == kNone ? 0
                                                                          : 1;
  }

  // Puts the call before a condition.
  void Guard(size_t begin, size_t end, int64_t operations) {
    const std::string call = absl::StrCat(" dovetail_go(", operations, ")");
    if (scan_.SkipSpace(begin) >= end) return Put(begin, call);
    Put(begin, absl::StrCat(call, " && ("));
    Put(end, ")");
  }

  int64_t For(size_t& at, size_t end, int level) {
    const SourceScan::Parentheses head = scan_.ParenthesesAt(at + 3);
    at += 3;
    if (head.close == kNone || head.close >= end) return 0;
    const size_t first = scan_.Semicolon(head.open + 1, head.close);
    const size_t second =
        first == kNone ? kNone : scan_.Semicolon(first + 1, head.close);
    if (second == kNone) return 0;
    const size_t body_end = scan_.StatementEnd(head.close + 1, end);
    const int64_t inside = Operations(first + 1, head.close, level + 1) +
                           Operations(head.close + 1, body_end, level + 1);
    Guard(first + 1, second, inside);
    at = body_end;
    return Operations(head.open + 1, first, level + 1);
  }

  int64_t While(size_t& at, size_t end, int level) {
    const SourceScan::Parentheses head = scan_.ParenthesesAt(at + 5);
    at += 5;
    if (head.close == kNone || head.close >= end) return 0;
    const size_t body_end = scan_.StatementEnd(head.close + 1, end);
    const int64_t inside = Operations(head.open + 1, head.close, level + 1) +
                           Operations(head.close + 1, body_end, level + 1);
    Guard(head.open + 1, head.close, inside);
    at = body_end;
    return 0;
  }

  int64_t Do(size_t& at, size_t end, int level) {
    const size_t body = at + 2;
    const size_t body_end = scan_.StatementEnd(body, end);
    at = body;
    const size_t loop = scan_.SkipSpace(body_end);
    if (loop >= end || scan_.Word(loop) != "while") return 0;
    const SourceScan::Parentheses head = scan_.ParenthesesAt(loop + 5);
    if (head.close == kNone || head.close >= end) return 0;
    const int64_t inside = Operations(body, body_end, level + 1) +
                           Operations(head.open + 1, head.close, level + 1);
    Guard(head.open + 1, head.close, inside);
    at = head.close + 1;
    return 0;
  }

  // It may go back.
  int64_t Goto(size_t& at, size_t end) {
    const size_t semicolon = scan_.Semicolon(at, end);
    if (semicolon == kNone) {
      at += 4;
      return 0;
    }
    Put(at, "{ if (dovetail_go(1)) ");
    Put(semicolon + 1, " }");
    at = semicolon + 1;
    return 0;
  }

  const std::string source_;
  const absl::string_view text_;
  const SourceScan scan_;
  std::map<std::string, int64_t> macros_;
  std::set<std::string> functions_;
  std::vector<Insert> inserts_;
};

}  // namespace

std::string CountedSource(absl::string_view source) {
  return Counter(source).Run();
}

}  // namespace dovetail::vpu
