#include "dovetail/backends/gpu/driver/device_list.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

using Devices = std::vector<std::shared_ptr<ClDevice>>;

struct DeviceList {
  std::mutex mutex;
  Devices devices;
};

absl::StatusOr<std::vector<cl_platform_id>> Platforms(const ClApi& api) {
  cl_uint count = 0;
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs"));
  std::vector<cl_platform_id> platforms(count);
  if (count == 0) return platforms;
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetPlatformIDs(count, platforms.data(), nullptr),
               "clGetPlatformIDs"));
  return platforms;
}

absl::StatusOr<std::vector<cl_device_id>> DeviceIds(const ClApi& api,
                                                    cl_platform_id platform) {
  cl_uint count = 0;
  DOVETAIL_RETURN_IF_ERROR(ClStatus(
      api.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count),
      "clGetDeviceIDs"));
  std::vector<cl_device_id> ids(count);
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(),
                                nullptr),
               "clGetDeviceIDs"));
  return ids;
}

int Rank(const ClDevice& device) {
  if (device.traits().is_gpu) return 0;
  return device.traits().is_cpu ? 2 : 1;
}

// Appends the usable devices of a platform, and why others are none.
void AddDevices(const ClApi& api, cl_platform_id platform, Devices& devices,
                std::vector<std::string>& reasons) {
  const auto ids = DeviceIds(api, platform);
  if (!ids.ok()) {
    reasons.emplace_back(ids.status().message());
    return;
  }
  for (size_t i = 0; i < ids->size(); ++i) {
    auto device =
        ClDevice::Create(api, platform, (*ids)[i], static_cast<int>(i));
    if (device.ok()) {
      devices.push_back(*std::move(device));
    } else {
      reasons.emplace_back(device.status().message());
    }
  }
}

absl::StatusOr<Devices> FindDevices() {
  DOVETAIL_ASSIGN_OR_RETURN(const ClApi* const api, LoadClApi());
  const auto platforms = Platforms(*api);
  Devices devices;
  std::vector<std::string> reasons;
  if (platforms.ok()) {
    for (const cl_platform_id platform : *platforms) {
      AddDevices(*api, platform, devices, reasons);
    }
    if (platforms->empty()) reasons.push_back("OpenCL has no platform");
  } else {
    reasons.emplace_back(platforms.status().message());
  }
  if (devices.empty()) {
    return Unavailable("no OpenCL device: ", absl::StrJoin(reasons, "; "), ". ",
                       RegisteredDrivers());
  }
  std::stable_sort(
      devices.begin(), devices.end(),
      [](const auto& a, const auto& b) { return Rank(*a) < Rank(*b); });
  return devices;
}

std::vector<std::string> PlatformNames(
    absl::Span<const std::shared_ptr<ClDevice>> devices) {
  std::vector<std::string> names;
  for (const auto& device : devices) {
    const std::string& name = device->traits().platform;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace

absl::StatusOr<Devices> ListClDevices() {
  auto& list = ProcessWide<DeviceList>("backends/gpu devices");
  std::lock_guard<std::mutex> lock(list.mutex);
  if (list.devices.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(list.devices, FindDevices());
  }
  return list.devices;
}

absl::StatusOr<Devices> OfPlatform(
    absl::Span<const std::shared_ptr<ClDevice>> devices,
    absl::string_view platform) {
  const std::vector<std::string> names = PlatformNames(devices);
  int index = -1;
  const bool by_index = absl::SimpleAtoi(platform, &index);
  Devices found;
  for (const auto& device : devices) {
    const std::string& name = device->traits().platform;
    const bool matches =
        by_index ? index >= 0 && index < static_cast<int>(names.size()) &&
                       names[index] == name
                 : absl::StrContains(absl::AsciiStrToLower(name),
                                     absl::AsciiStrToLower(platform));
    if (matches) found.push_back(device);
  }
  if (found.empty()) {
    return NotFound("OCL_PLATFORM '", platform,
                    "' is neither an index nor part of a name of: ",
                    absl::StrJoin(names, ", "));
  }
  return found;
}

absl::StatusOr<std::shared_ptr<ClDevice>> PickClDevice(
    absl::Span<const std::shared_ptr<ClDevice>> devices,
    absl::string_view device_id) {
  absl::string_view digits = device_id;
  absl::ConsumePrefix(&digits, "GPU.");
  int index = 0;
  const bool is_number = digits.empty() || absl::SimpleAtoi(digits, &index);
  if (is_number && index >= 0 && index < static_cast<int>(devices.size())) {
    return devices[index];
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < devices.size(); ++i) {
    names.push_back(absl::StrCat(i, ": ", devices[i]->traits().name));
  }
  return NotFound("there is no OpenCL device '", device_id,
                  "' among: ", absl::StrJoin(names, ", "));
}

}  // namespace dovetail::gpu
