// Opens shared plugins.
#ifndef DOVETAIL_CORE_PLUGIN_LOADER_H_
#define DOVETAIL_CORE_PLUGIN_LOADER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/plugin/manifest.h"

namespace dovetail {

// The manifest of the library at `path`, which stays loaded for good: objects
// of its classes may live anywhere. kNotFound when there is no such file,
// kFailedPrecondition with the linker's words when it cannot be loaded or is no
// plugin, and as of CheckManifest.
absl::StatusOr<const PluginManifest*> LoadManifest(const std::string& path);

// Whether this program can use the plugin: kFailedPrecondition with both values
// when ABI version or build differ, kInvalidArgument when it is incomplete.
absl::Status CheckManifest(const PluginManifest* manifest);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_LOADER_H_
