// The container that exported and cached models are written in: what a device
// needs to make the compiled model again, and before it what decides whether
// this program may hand it to a device at all.
#ifndef DOVETAIL_CORE_RUNTIME_BLOB_HEADER_H_
#define DOVETAIL_CORE_RUNTIME_BLOB_HEADER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/properties/property.h"

namespace dovetail {

// An export can be imported where all of `device`, `architecture` and `build`
// are the same.
struct BlobHeader {
  std::string device;        // "REFERENCE"
  std::string architecture;  // the device's DEVICE_ARCHITECTURE
  std::string build;         // of the program; see CurrentBuild()
  std::string model_name;
  PropertyMap properties;  // what was set when it was compiled
};

// What this program was built from and with: hashes over the sources of core,
// made by the build, and the toolchain. What the plugin was built from is in
// PluginVersion::build.
std::string CurrentBuild();

// "DVTLBLOB", the header, the payload, and a checksum of all that.
std::string WriteBlob(const BlobHeader& header, absl::string_view payload);

struct Blob {
  BlobHeader header;
  absl::string_view payload;  // in the bytes that were read
};
// kInvalidArgument when it is no such container at all, kDataLoss when it is
// cut short or changed.
absl::StatusOr<Blob> ReadBlob(absl::string_view bytes);

// kFailedPrecondition, naming both sides, when an export is not for this device
// or not of this build.
absl::Status CheckBlobFits(const BlobHeader& header, absl::string_view device,
                           absl::string_view architecture);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_BLOB_HEADER_H_
