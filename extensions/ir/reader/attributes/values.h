// Numbers and lists as the attributes of an IR spell them. Everything is read
// in the classic locale and checked to the last character, unlike a string
// stream, which takes "12abc" for 12.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_ATTRIBUTES_VALUES_H_
#define DOVETAIL_EXTENSIONS_IR_READER_ATTRIBUTES_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail::ir {

// Each answers kInvalidArgument with the text and what was expected, such as
// "'12abc' is not an integer". White space around a value is ignored.

absl::StatusOr<int64_t> ParseInt(absl::string_view text);
absl::StatusOr<uint64_t> ParseUnsigned(absl::string_view text);
// Also "inf", "-inf" and "nan" in any case; finite text that does not fit a
// double is an error.
absl::StatusOr<double> ParseFloat(absl::string_view text);
// "true", "false", "1", "0" in any case.
absl::StatusOr<bool> ParseBool(absl::string_view text);

// Values between commas; none in an empty text. One comma after the last value
// is no error, as OpenVINO takes it too.
absl::StatusOr<std::vector<int64_t>> ParseInts(absl::string_view text);
absl::StatusOr<std::vector<double>> ParseFloats(absl::string_view text);
std::vector<std::string> ParseStrings(absl::string_view text);

// Names between commas, a comma within a name written "\,". Empty names are
// left out, white space belongs to the name.
std::vector<std::string> ParseTensorNames(absl::string_view text);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_ATTRIBUTES_VALUES_H_
