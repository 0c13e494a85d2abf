#include "dovetail/core/runtime/blob_header.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/registry/build_id.h"
#include "dovetail/core/runtime/core_hash.h"

namespace dovetail {
namespace {

constexpr absl::string_view kPropertyPrefix = "property ";
constexpr absl::string_view kExtensionPrefix = "extension ";

}  // namespace

std::string BuildOf(absl::string_view plugin_build) {
  return absl::StrCat(
      "core ", DOVETAIL_CORE_HASH, ", headers ", AbiHash(), ", plugin ",
      plugin_build.empty() ? "unknown" : plugin_build, ", ", Toolchain());
}

absl::Status WriteBlobHeader(const BlobHeader& header, BlobWriter& blob) {
  DOVETAIL_RETURN_IF_ERROR(blob.SetHeader("device", header.device));
  DOVETAIL_RETURN_IF_ERROR(blob.SetHeader("architecture", header.architecture));
  DOVETAIL_RETURN_IF_ERROR(blob.SetHeader("build", header.build));
  DOVETAIL_RETURN_IF_ERROR(blob.SetHeader("model", header.model_name));
  for (const auto& [key, value] : header.properties) {
    DOVETAIL_RETURN_IF_ERROR(
        blob.SetHeader(absl::StrCat(kPropertyPrefix, key), value));
  }
  for (const auto& [name, build] : header.extensions) {
    DOVETAIL_RETURN_IF_ERROR(
        blob.SetHeader(absl::StrCat(kExtensionPrefix, name), build));
  }
  return absl::OkStatus();
}

absl::StatusOr<BlobHeader> ReadBlobHeader(const BlobReader& blob) {
  const auto text = [&blob](absl::string_view key) {
    return std::string(blob.Header(key).value_or(""));
  };
  BlobHeader header;
  header.device = text("device");
  header.architecture = text("architecture");
  header.build = text("build");
  header.model_name = text("model");
  if (header.device.empty()) {
    return InvalidArgument(
        "this is no exported model: its header names no device");
  }
  for (const auto& [key, value] : blob.headers()) {
    absl::string_view name = key;
    if (absl::ConsumePrefix(&name, kPropertyPrefix)) {
      header.properties[std::string(name)] = value;
    } else if (absl::ConsumePrefix(&name, kExtensionPrefix)) {
      header.extensions[std::string(name)] = value;
    }
  }
  return header;
}

absl::Status CheckBlobFits(const BlobHeader& header,
                           const BlobHeader& expected) {
  if (header.device != expected.device) {
    return FailedPrecondition("the model was exported for device ",
                              header.device, ", not for ", expected.device);
  }
  if (header.build != expected.build) {
    return FailedPrecondition("the model was exported by '", header.build,
                              "', this program is '", expected.build, "'");
  }
  if (header.architecture != expected.architecture) {
    return FailedPrecondition("the model was exported for a ", header.device,
                              " of architecture '", header.architecture,
                              "', this one is '", expected.architecture, "'");
  }
  return absl::OkStatus();
}

}  // namespace dovetail
