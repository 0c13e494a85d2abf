// The bytes that a device has written into an export, for tests that change it
// behind the back of the checksums.
#ifndef DOVETAIL_CORE_PLUGIN_TESTING_EXPORT_BYTES_H_
#define DOVETAIL_CORE_PLUGIN_TESTING_EXPORT_BYTES_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Bytes of each section, by name.
using ExportSections = std::map<std::string, std::string>;

absl::StatusOr<ExportSections> ExportedSections(const Executable& executable);
// A sound container of these sections.
BlobReader ContainerOf(const ExportSections& sections);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_TESTING_EXPORT_BYTES_H_
