#include "dovetail/backends/common/scheduling/device_counts.h"

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/common/parts/device_list.h"
#include "dovetail/core/base/status.h"

namespace dovetail::multi {
namespace {

constexpr int kMostInferences = 1024;

// "GPU(4)". Of a device made of others the number is its last device's.
absl::StatusOr<DeviceCount> ReadCount(absl::string_view text) {
  DeviceCount count;
  absl::string_view rest = text;
  const size_t open = rest.find('(');
  const bool has_count = open != rest.npos && rest.find(':') == rest.npos &&
                         absl::ConsumeSuffix(&rest, ")");
  if (!has_count) {
    count.device = std::string(text);
    return count;
  }
  count.device = std::string(absl::StripAsciiWhitespace(rest.substr(0, open)));
  if (!absl::SimpleAtoi(rest.substr(open + 1), &count.inferences) ||
      count.inferences < 1 || count.inferences > kMostInferences) {
    return InvalidArgument("'", text, "': want a number from 1 to ",
                           kMostInferences, " in the parentheses");
  }
  return count;
}

}  // namespace

absl::StatusOr<std::vector<DeviceCount>> ReadDeviceCounts(
    absl::string_view list, absl::string_view taker) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<std::string> devices,
                            ReadDeviceList(list, taker, ListCounts::kAllowed));
  std::vector<DeviceCount> counts;
  for (const std::string& device : devices) {
    absl::StatusOr<DeviceCount> count = ReadCount(device);
    if (!count.ok()) {
      return Annotate(count.status(),
                      absl::StrCat("device ", taker, ":", list));
    }
    const auto is_same = [&](const DeviceCount& other) {
      return other.device == count->device;
    };
    if (count->device.empty() || absl::c_any_of(counts, is_same)) {
      return InvalidArgument(
          "device ", taker, ":", list, ": '", device, "' names ",
          count->device.empty() ? "no device" : "one that is there twice");
    }
    counts.push_back(*std::move(count));
  }
  return counts;
}

}  // namespace dovetail::multi
