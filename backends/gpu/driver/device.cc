#include "dovetail/backends/gpu/driver/device.h"

#include <algorithm>
#include <mutex>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

using Devices = std::vector<std::shared_ptr<ClDevice>>;

std::string DeviceText(const ClApi& api, cl_device_id id, cl_device_info key) {
  size_t bytes = 0;
  if (api.GetDeviceInfo(id, key, 0, nullptr, &bytes) != CL_SUCCESS) return "";
  std::string text(bytes, '\0');
  if (api.GetDeviceInfo(id, key, bytes, text.data(), nullptr) != CL_SUCCESS) {
    return "";
  }
  text.resize(text.find_last_not_of(std::string("\0 ", 2)) + 1);
  return text;
}

template <typename T>
T DeviceNumber(const ClApi& api, cl_device_id id, cl_device_info key) {
  T number{};
  api.GetDeviceInfo(id, key, sizeof(number), &number, nullptr);
  return number;
}

// FNV-1a (Fowler, Noll, Vo), of 64 bits.
uint64_t Fnv(absl::string_view text, uint64_t hash) {
  for (const char c : text) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  }
  return hash;
}

// The same in every process: drivers of OpenCL 1.2 tell none of their own.
std::string Uuid(const DeviceTraits& traits, int number) {
  const std::string text =
      absl::StrCat(traits.platform, "\n", traits.vendor, "\n", traits.name,
                   "\n", traits.driver_version, "\n", number);
  return absl::StrCat(
      absl::Hex(Fnv(text, 0xcbf29ce484222325), absl::kZeroPad16),
      absl::Hex(Fnv(text, 0x84222325cbf29ce4), absl::kZeroPad16));
}

DeviceTraits TraitsOf(const ClApi& api, cl_device_id id,
                      absl::string_view platform) {
  DeviceTraits traits;
  traits.platform = std::string(platform);
  traits.name = DeviceText(api, id, CL_DEVICE_NAME);
  traits.vendor = DeviceText(api, id, CL_DEVICE_VENDOR);
  traits.version = DeviceText(api, id, CL_DEVICE_VERSION);
  traits.driver_version = DeviceText(api, id, CL_DRIVER_VERSION);
  const std::string extensions = DeviceText(api, id, CL_DEVICE_EXTENSIONS);
  traits.is_cpu = (DeviceNumber<cl_device_type>(api, id, CL_DEVICE_TYPE) &
                   CL_DEVICE_TYPE_CPU) != 0;
  traits.has_fp16 = absl::StrContains(extensions, "cl_khr_fp16");
  traits.has_fp64 = absl::StrContains(extensions, "cl_khr_fp64");
  traits.has_subgroups = absl::StrContains(extensions, "cl_khr_subgroups") ||
                         absl::StrContains(extensions, "cl_intel_subgroups");
  traits.has_unified_memory =
      DeviceNumber<cl_bool>(api, id, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;
  traits.vector_width = static_cast<int>(
      DeviceNumber<cl_uint>(api, id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT));
  traits.compute_units = static_cast<int>(
      DeviceNumber<cl_uint>(api, id, CL_DEVICE_MAX_COMPUTE_UNITS));
  const auto bytes = [&](cl_device_info key) {
    return static_cast<int64_t>(DeviceNumber<cl_ulong>(api, id, key));
  };
  traits.memory_bytes = bytes(CL_DEVICE_GLOBAL_MEM_SIZE);
  traits.max_allocation_bytes = bytes(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  traits.local_memory_bytes = bytes(CL_DEVICE_LOCAL_MEM_SIZE);
  traits.base_alignment_bytes = std::max<int64_t>(
      1, DeviceNumber<cl_uint>(api, id, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8);
  traits.max_group_size = static_cast<int64_t>(
      DeviceNumber<size_t>(api, id, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  return traits;
}

std::string PlatformName(const ClApi& api, cl_platform_id platform) {
  size_t bytes = 0;
  api.GetPlatformInfo(platform, CL_PLATFORM_NAME, 0, nullptr, &bytes);
  std::string name(bytes, '\0');
  api.GetPlatformInfo(platform, CL_PLATFORM_NAME, bytes, name.data(), nullptr);
  return std::string(name.c_str());
}

absl::Status AddDevices(const ClApi& api, cl_platform_id platform,
                        cl_device_type type, Devices& devices) {
  cl_uint count = 0;
  const cl_int found = api.GetDeviceIDs(platform, type, 0, nullptr, &count);
  if (found == CL_DEVICE_NOT_FOUND || count == 0) return absl::OkStatus();
  DOVETAIL_RETURN_IF_ERROR(ClStatus(found, "clGetDeviceIDs"));
  std::vector<cl_device_id> ids(count);
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetDeviceIDs(platform, type, count, ids.data(), nullptr),
               "clGetDeviceIDs"));
  for (const cl_device_id id : ids) {
    DeviceTraits traits = TraitsOf(api, id, PlatformName(api, platform));
    traits.uuid = Uuid(traits, static_cast<int>(devices.size()));
    cl_int code = CL_SUCCESS;
    Context context(
        &api, api.CreateContext(nullptr, 1, &id, nullptr, nullptr, &code));
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(ClStatus(code, "clCreateContext"), traits.name));
    devices.push_back(std::make_shared<ClDevice>(&api, id, std::move(traits),
                                                 std::move(context)));
  }
  return absl::OkStatus();
}

absl::StatusOr<Devices> FindDevices() {
  DOVETAIL_ASSIGN_OR_RETURN(const ClApi* const api, LoadClApi());
  cl_uint count = 0;
  const cl_int found = api->GetPlatformIDs(0, nullptr, &count);
  if (found != CL_SUCCESS || count == 0) {
    return Unavailable("no OpenCL driver is installed; ", IcdFilesText());
  }
  std::vector<cl_platform_id> platforms(count);
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api->GetPlatformIDs(count, platforms.data(), nullptr),
               "clGetPlatformIDs"));
  Devices devices;
  absl::Status failed;
  for (const cl_device_type type :
       {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CPU}) {
    for (const cl_platform_id platform : platforms) {
      failed.Update(AddDevices(*api, platform, type, devices));
    }
  }
  // A driver that fails does not stand in the way of the others.
  if (!devices.empty()) return devices;
  return Unavailable("no OpenCL device: ",
                     failed.ok() ? "the drivers have none" : failed.message(),
                     "; ", IcdFilesText());
}

}  // namespace

absl::StatusOr<Devices> ListClDevices() {
  static std::mutex& mutex = *new std::mutex;
  static Devices& all = *new Devices;
  std::lock_guard<std::mutex> lock(mutex);
  if (all.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(all, FindDevices());
  }
  return all;
}

}  // namespace dovetail::gpu
