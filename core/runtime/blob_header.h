// The header of an exported or cached model: what decides whether this program
// may hand it to a device at all. What the device itself has written is nested
// in the same container (core/blob), under kDeviceSections.
#ifndef DOVETAIL_CORE_RUNTIME_BLOB_HEADER_H_
#define DOVETAIL_CORE_RUNTIME_BLOB_HEADER_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/properties/property.h"

namespace dovetail {

inline constexpr absl::string_view kDeviceSections = "device";

// An export can be imported where all of `device`, `architecture` and `build`
// are the same.
struct BlobHeader {
  std::string device;        // "REFERENCE"
  std::string architecture;  // the device's DEVICE_ARCHITECTURE
  std::string build;         // of program and plugin; see BuildOf()
  std::string model_name;
  PropertyMap properties;  // what was set when it was compiled
  // The builds of the extensions whose operations or kernels the model has, by
  // name.
  std::map<std::string, std::string> extensions;
};

// All that determines what a plugin compiles: hashes over the sources of core
// and of the plugin (PluginVersion::build), and the toolchain.
std::string BuildOf(absl::string_view plugin_build);

absl::Status WriteBlobHeader(const BlobHeader& header, BlobWriter& blob);
// kInvalidArgument when the container holds no exported model.
absl::StatusOr<BlobHeader> ReadBlobHeader(const BlobReader& blob);

// kFailedPrecondition, naming both sides, when an export is not for what
// `expected` says of device, architecture and build.
absl::Status CheckBlobFits(const BlobHeader& header,
                           const BlobHeader& expected);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_BLOB_HEADER_H_
