#include "dovetail/backends/gpu/driver/device_traits.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"

namespace dovetail::gpu {
namespace {

// Reads what clGetDeviceInfo answers; remembers the first error.
class Reader {
 public:
  Reader(const ClApi& api, cl_device_id device) : api_(api), device_(device) {}

  template <typename T>
  T Value(cl_device_info what) {
    T value = {};
    Check(api_.GetDeviceInfo(device_, what, sizeof(value), &value, nullptr));
    return value;
  }

  std::string Text(cl_device_info what) {
    size_t size = 0;
    Check(api_.GetDeviceInfo(device_, what, 0, nullptr, &size));
    std::string text(size, '\0');
    Check(api_.GetDeviceInfo(device_, what, size, text.data(), nullptr));
    // Drivers end texts with a zero, or several, and pad names with blanks.
    text.resize(std::min(text.size(), text.find('\0')));
    return std::string(absl::StripAsciiWhitespace(text));
  }

  std::vector<size_t> Sizes(cl_device_info what) {
    size_t bytes = 0;
    Check(api_.GetDeviceInfo(device_, what, 0, nullptr, &bytes));
    std::vector<size_t> sizes(bytes / sizeof(size_t));
    Check(api_.GetDeviceInfo(device_, what, bytes, sizes.data(), nullptr));
    return sizes;
  }

  const absl::Status& status() const { return status_; }

 private:
  void Check(cl_int code) {
    if (status_.ok()) status_ = ClStatus(code, "clGetDeviceInfo");
  }

  const ClApi& api_;
  cl_device_id device_;
  absl::Status status_;
};

// CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, of OpenCL 3.0.
constexpr cl_device_info kUnevenGroups = 0x1065;

std::string PlatformText(const ClApi& api, cl_platform_id platform,
                         cl_platform_info what) {
  size_t size = 0;
  if (api.GetPlatformInfo(platform, what, 0, nullptr, &size) != CL_SUCCESS) {
    return "";
  }
  std::string text(size, '\0');
  api.GetPlatformInfo(platform, what, size, text.data(), nullptr);
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

void ReadTexts(Reader& reader, DeviceTraits& traits) {
  traits.name = reader.Text(CL_DEVICE_NAME);
  traits.vendor = reader.Text(CL_DEVICE_VENDOR);
  traits.driver_version = reader.Text(CL_DRIVER_VERSION);
  traits.version = reader.Text(CL_DEVICE_VERSION);
  traits.extensions = absl::StrSplit(reader.Text(CL_DEVICE_EXTENSIONS), ' ',
                                     absl::SkipWhitespace());
  std::sort(traits.extensions.begin(), traits.extensions.end());
}

void ReadFeatures(Reader& reader, DeviceTraits& traits) {
  const auto type = reader.Value<cl_device_type>(CL_DEVICE_TYPE);
  traits.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  traits.is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
  traits.has_fp16 = traits.HasExtension("cl_khr_fp16");
  traits.has_fp64 = traits.HasExtension("cl_khr_fp64");
  traits.has_subgroups = traits.HasExtension("cl_khr_subgroups") ||
                         traits.HasExtension("cl_intel_subgroups");
  const std::string language = traits.NewestLanguage();
  traits.has_uneven_groups =
      language == "CL2.0" ||
      (language == "CL3.0" &&
       reader.Value<cl_bool>(kUnevenGroups) ==
           CL_TRUE);
  traits.has_unified_memory =
      reader.Value<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY) == CL_TRUE;
}

void ReadSizes(Reader& reader, DeviceTraits& traits) {
  traits.vector_width = static_cast<int>(std::max<cl_uint>(
      1, reader.Value<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT)));
  traits.compute_units =
      static_cast<int>(reader.Value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS));
  traits.memory_bytes =
      static_cast<int64_t>(reader.Value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE));
  traits.max_allocation_bytes = static_cast<int64_t>(
      reader.Value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  traits.local_memory_bytes =
      static_cast<int64_t>(reader.Value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE));
  // The driver says it in bits.
  traits.base_alignment_bytes = std::max<int64_t>(
      1, reader.Value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8);
  traits.max_parameter_bytes = static_cast<int64_t>(
      reader.Value<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE));
  traits.max_group_size = reader.Value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  const auto sizes = reader.Sizes(CL_DEVICE_MAX_WORK_ITEM_SIZES);
  for (size_t i = 0; i < std::min<size_t>(3, sizes.size()); ++i) {
    traits.max_group_sizes[i] = sizes[i];
  }
}

std::string Uuid(const ClApi& api, cl_device_id device,
                 const DeviceTraits& traits, int ordinal) {
  char uuid[CL_UUID_SIZE_KHR] = {};
  if (traits.HasExtension("cl_khr_device_uuid") &&
      api.GetDeviceInfo(device, CL_DEVICE_UUID_KHR, sizeof(uuid), uuid,
                        nullptr) == CL_SUCCESS) {
    return absl::BytesToHexString(absl::string_view(uuid, sizeof(uuid)));
  }
  return HexHash128(absl::StrJoin(
      {traits.name, traits.vendor, traits.platform, absl::StrCat(ordinal)},
      "\n"));
}

}  // namespace

bool DeviceTraits::HasExtension(absl::string_view extension) const {
  return std::binary_search(extensions.begin(), extensions.end(), extension);
}

std::string DeviceTraits::NewestLanguage() const {
  if (absl::StartsWith(version, "OpenCL 2")) return "CL2.0";
  return absl::StartsWith(version, "OpenCL 1") ? "CL1.2" : "CL3.0";
}

std::string DeviceTraits::BinaryIdentity() const {
  return absl::StrJoin(
      {name, vendor, version, driver_version, platform, platform_version},
      " | ");
}

absl::StatusOr<DeviceTraits> QueryDeviceTraits(const ClApi& api,
                                               cl_platform_id platform,
                                               cl_device_id device,
                                               int ordinal) {
  DeviceTraits traits;
  traits.platform = PlatformText(api, platform, CL_PLATFORM_NAME);
  traits.platform_version = PlatformText(api, platform, CL_PLATFORM_VERSION);
  Reader reader(api, device);
  ReadTexts(reader, traits);
  ReadFeatures(reader, traits);
  traits.computes_in_waiting_threads =
      traits.is_cpu && traits.platform == "Intel(R) OpenCL";
  ReadSizes(reader, traits);
  DOVETAIL_RETURN_IF_ERROR(reader.status());
  traits.uuid = Uuid(api, device, traits, ordinal);
  return traits;
}

}  // namespace dovetail::gpu
