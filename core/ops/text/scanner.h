// Takes a text apart from left to right: words, quoted texts, and values whose
// brackets match.
#ifndef DOVETAIL_CORE_OPS_TEXT_SCANNER_H_
#define DOVETAIL_CORE_OPS_TEXT_SCANNER_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/base/status.h"

namespace dovetail {

// Everything but Rest skips spaces (not ends of lines) before it looks. The
// text has to outlive the scanner and the views that it gives.
class Scanner {
 public:
  explicit Scanner(absl::string_view text) : text_(text) {}

  bool at_end();
  bool NextIs(absl::string_view token);
  // Whether `token` comes next; takes it if so.
  bool Consume(absl::string_view token);
  absl::Status Expect(absl::string_view token);
  // Letters, digits and underscores; empty when there are none.
  absl::string_view Word();
  // The same with hyphens too, as in "exclude-pad".
  absl::string_view AttributeName();
  // Everything up to one of `ends` that is not within brackets or quotes.
  // kInvalidArgument when brackets or quotes stay open.
  absl::StatusOr<absl::string_view> ValueUntil(absl::string_view ends);
  // A text in double quotes, its escapes resolved.
  absl::StatusOr<std::string> Quoted();
  // A decimal integer.
  absl::StatusOr<int64_t> Integer();
  // What is left, without spaces at its ends; takes it.
  absl::string_view Rest();

  // kInvalidArgument that shows what comes next.
  template <typename... Parts>
  absl::Status Error(const Parts&... parts) {
    return InvalidArgument(parts..., " at '", Next(), "'");
  }

 private:
  void SkipSpaces();
  absl::string_view Next();

  absl::string_view text_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_TEXT_SCANNER_H_
