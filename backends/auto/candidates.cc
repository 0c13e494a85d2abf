#include "dovetail/backends/auto/candidates.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/common/parts/device_list.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::automatic {
namespace {

absl::string_view KindOf(absl::string_view device) {
  return device.substr(0, device.find_first_of(".:"));
}

// By what a device is, the best first.
int RankOf(const std::string& device, Host& host) {
  if (IsCpu(device)) return 2;
  const auto type = host.GetProperty(device, properties::kDeviceType);
  if (!type.ok()) return 1;
  if (*type == "DISCRETE") return 0;
  return *type == "HOST" ? 3 : 1;
}

std::vector<std::string> AllOf(Host& host) {
  std::vector<std::pair<int, std::string>> ranked;
  for (std::string& device : host.AvailableDevices()) {
    const absl::string_view kind = KindOf(device);
    if (kind == "REFERENCE" || kind == "NULL" || kind == "VPU") continue;
    ranked.emplace_back(RankOf(device, host), std::move(device));
  }
  absl::c_stable_sort(
      ranked, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> devices;
  for (auto& [rank, device] : ranked) devices.push_back(std::move(device));
  return devices;
}

}  // namespace

bool IsCpu(absl::string_view device) { return KindOf(device) == "CPU"; }

absl::StatusOr<std::vector<std::string>> ReadCandidates(absl::string_view list,
                                                        Host& host) {
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<std::string> named,
                            ReadDeviceList(list, "AUTO"));
  std::vector<std::string> left_out;
  std::erase_if(named, [&](const std::string& name) {
    if (!absl::StartsWith(name, "-")) return false;
    left_out.push_back(name.substr(1));
    return true;
  });
  if (absl::c_linear_search(left_out, "")) {
    return InvalidArgument("device AUTO:", list, ": no name follows a '-'");
  }
  std::vector<std::string> devices;
  for (const std::string& name : named) {
    if (name != kAllDevices) devices.push_back(name);
  }
  if (devices.empty()) devices = AllOf(host);
  if (devices.empty()) {
    return NotFound("device AUTO: there is no device to choose, other than ",
                    absl::StrJoin(host.AvailableDevices(), ", "),
                    ", which it takes only where they are named");
  }
  std::erase_if(devices, [&](const std::string& device) {
    return absl::c_any_of(left_out, [&](const std::string& name) {
      return MeansDevice(name, device);
    });
  });
  if (!devices.empty()) return devices;
  return InvalidArgument("device AUTO:", list, " leaves no device; there are ",
                         absl::StrJoin(host.AvailableDevices(), ", "));
}

void WarnOfMissing(absl::string_view list, Host& host) {
  const std::vector<std::string> all = host.AvailableDevices();
  for (absl::string_view name : absl::StrSplit(list, ',')) {
    name = absl::StripAsciiWhitespace(name);
    if (!absl::ConsumePrefix(&name, "-")) continue;
    const auto is_meant = [&](const std::string& device) {
      return MeansDevice(name, device);
    };
    if (absl::c_any_of(all, is_meant)) continue;
    DOVETAIL_LOG(kWarning, "device AUTO:", list, ": there is no device '", name,
                 "' to leave out; there are ", absl::StrJoin(all, ", "));
  }
}

std::vector<std::string> ByPrecision(std::vector<std::string> devices,
                                     absl::string_view precision, Host& host) {
  std::stable_partition(
      devices.begin(), devices.end(), [&](const std::string& device) {
        const auto words =
            host.GetProperty(device, properties::kOptimizationCapabilities);
        if (!words.ok()) return false;
        const std::vector<absl::string_view> list = absl::StrSplit(*words, ' ');
        return absl::c_linear_search(list, precision);
      });
  return devices;
}

}  // namespace dovetail::automatic
