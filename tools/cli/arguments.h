// The words of a command line: flags that a command has declared, and the rest.
#ifndef DOVETAIL_TOOLS_CLI_ARGUMENTS_H_
#define DOVETAIL_TOOLS_CLI_ARGUMENTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace dovetail::cli {

// One flag of a command.
struct Flag {
  absl::string_view name;   // without dashes
  absl::string_view value;  // "FILE"; empty for a switch
  absl::string_view help;   // one line
  bool repeatable = false;
  absl::string_view letter = "";  // "o" where "-o FILE" is the same
};

// What a command line holds. "--name=value", "--name value" and, for a switch,
// "--name"; "-o value" for a flag with a letter; after "--" nothing is a flag.
class Arguments {
 public:
  // kInvalidArgument for a flag that is unknown (with the nearest one), lacks
  // its value or is given twice.
  static absl::StatusOr<Arguments> Parse(
      absl::Span<const Flag> flags, absl::Span<const std::string> words);

  const std::vector<std::string>& positional() const { return positional_; }
  bool Has(absl::string_view name) const;
  // The value, or `otherwise` when it was not given.
  std::string Get(absl::string_view name,
                  absl::string_view otherwise = "") const;
  // All values of a repeatable flag, in order.
  std::vector<std::string> GetAll(absl::string_view name) const;
  // kInvalidArgument, with flag and value, for what is no number in range.
  absl::StatusOr<int64_t> GetInt(absl::string_view name, int64_t otherwise,
                                 int64_t min, int64_t max) const;
  absl::StatusOr<double> GetDouble(absl::string_view name, double otherwise,
                                   double min, double max) const;

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> positional_;
};

// "KEY=VALUE" as its two halves; kInvalidArgument without a "=".
absl::StatusOr<std::pair<std::string, std::string>> SplitKeyValue(
    absl::string_view flag, absl::string_view text);

// "  --name=VALUE   help" a line, aligned.
std::string DescribeFlags(absl::Span<const Flag> flags);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_ARGUMENTS_H_
