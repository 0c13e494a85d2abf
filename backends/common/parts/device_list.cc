#include "dovetail/backends/common/parts/device_list.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

// Why there can be no such device; empty: there may be.
absl::string_view FaultOf(absl::string_view device, ListCounts counts) {
  if (absl::c_count(device, '(') != absl::c_count(device, ')')) {
    return "' has a parenthesis without the other one";
  }
  // Of a device that is made of others they are its own matter.
  const bool has_count =
      device.find('(') != device.npos && device.find(':') == device.npos;
  if (has_count && counts == ListCounts::kNone) {
    return "' has a number of inferences at a time, which only MULTI takes: "
           "MULTI:GPU(4),CPU(2)";
  }
  return "";
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ReadDeviceList(absl::string_view list,
                                                        absl::string_view taker,
                                                        ListCounts counts) {
  if (absl::StripAsciiWhitespace(list).empty()) {
    return InvalidArgument("device ", taker,
                           " needs a list of devices, such as ", taker,
                           ":GPU,CPU");
  }
  std::vector<std::string> devices;
  for (absl::string_view rest = list; !rest.empty();) {
    const size_t comma = rest.find(','), colon = rest.find(':');
    const size_t end =
        colon < comma ? rest.size() : std::min(comma, rest.size());
    const absl::string_view device =
        absl::StripAsciiWhitespace(rest.substr(0, end));
    if (device.empty() || end + 1 == rest.size()) {
      return InvalidArgument("device ", taker, ":", list,
                             ": a name of its list is empty");
    }
    if (absl::c_linear_search(devices, device)) {
      return InvalidArgument("device ", taker, ":", list, ": '", device,
                             "' is there twice");
    }
    const absl::string_view fault = FaultOf(device, counts);
    if (!fault.empty()) {
      return InvalidArgument("device ", taker, ":", list, ": '", device, fault);
    }
    devices.emplace_back(device);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return devices;
}

absl::StatusOr<std::vector<std::string>> DeviceListOf(const PluginCall& call,
                                                      absl::string_view taker) {
  return ReadDeviceList(call.config.GetString(properties::kDevicePriorities),
                        taker);
}

bool MeansDevice(absl::string_view name, absl::string_view device) {
  return absl::ConsumePrefix(&device, name) &&
         (device.empty() || device[0] == '.' || device[0] == ':');
}

}  // namespace dovetail
