// Finding one's way in a source of C without parsing it.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_SOURCE_SCAN_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_SOURCE_SCAN_H_

#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"

namespace dovetail::vpu {

inline bool IsInName(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// Places are offsets in the text, which has no comments and outlives the scan.
// Whatever the text is, all functions end, and give places in it.
class SourceScan {
 public:
  // No place.
  static constexpr size_t kNone = absl::string_view::npos;
  // Deeper nesting than anybody writes.
  static constexpr int kMostLevels = 256;

  // Parentheses behind a word; without `close`: there are none.
  struct Parentheses {
    size_t open = kNone, close = kNone;
  };

  explicit SourceScan(absl::string_view text) : text_(text) {}

  // The name that begins there, or ends before it and the space behind it;
  // empty where there is none.
  absl::string_view Word(size_t at) const;
  absl::string_view WordBefore(size_t at) const;
  Parentheses ParenthesesAt(size_t at) const;

  // Line ends, and the backslashes before them, are space.
  size_t SkipSpace(size_t at) const;
  // Behind the quotes that begin there.
  size_t SkipQuotes(size_t at) const;
  // The end of a line that a backslash does not continue.
  size_t EndOfLine(size_t at) const;
  // Where what opens there closes; kNone: nowhere.
  size_t CloseOf(size_t at) const;
  // The next semicolon outside of parentheses; kNone: none before `end`.
  size_t Semicolon(size_t at, size_t end) const;
  // Behind the statement that begins there, of at most `end`.
  size_t StatementEnd(size_t at, size_t end) const {
    return StatementEnd(at, end, 0);
  }

 private:
  size_t StatementEnd(size_t at, size_t end, int level) const;

  const absl::string_view text_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_SOURCE_SCAN_H_
