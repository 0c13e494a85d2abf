// Facts that conformance suites have to know of a device besides what it says
// of itself, from its backends/<x>/conformance.txt. A line is an entry, a colon
// and the reason; lines that are empty or begin with "#" say nothing:
//
//   computes nothing: gives zeros, so that only shapes are compared
//   computes f16: rounds all values, and has no property that would tell
//   stores f16: rounds all values where its property says that type
//   tolerance bf16 0.05: sums are rounded to bf16, too
//   unsupported unique_*: the device has no memory that grows
//   expected failure in f16 exp_*: f16 ends at 65504
//
// A tolerance, in place of that of precision.h, is what numbers of an output
// may be off by, as a part of the greatest of them, besides what the case
// allows in f32; for L layers, one behind the other, it counts sqrt(L) times. A
// pattern is the name of a case, with * and ?. "in <type>" limits an entry to
// that type.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_CASES_DEVICE_EXCEPTIONS_H_
#define DOVETAIL_TOOLS_CONFORMANCE_CASES_DEVICE_EXCEPTIONS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail::conformance {

struct DeviceExceptions {
  struct Entry {
    std::string pattern;
    std::string type;  // "f16"; empty: whatever the device computes in
    std::string reason;
  };

  bool computes_nothing = false;
  std::string computes;                     // "f16"; empty: see PrecisionOf
  std::string stores;                       // "f16"; empty: see PrecisionOf
  std::map<std::string, double> tolerance;  // "bf16" -> 0.05
  std::vector<Entry> unsupported, expected_failures;
};

// kInvalidArgument names the line that is none of the entries above.
absl::StatusOr<DeviceExceptions> ParseDeviceExceptions(absl::string_view text);
// The same of a file, which the error names too.
absl::StatusOr<DeviceExceptions> ReadDeviceExceptions(const std::string& path);

// The first of `entries` for that case where the device computes in that type;
// null without any.
const DeviceExceptions::Entry* FindEntry(
    const std::vector<DeviceExceptions::Entry>& entries,
    absl::string_view case_name, absl::string_view type);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_CASES_DEVICE_EXCEPTIONS_H_
