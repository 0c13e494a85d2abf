// Opens shared plugins.
#ifndef DOVETAIL_CORE_PLUGIN_REGISTRY_LOADER_H_
#define DOVETAIL_CORE_PLUGIN_REGISTRY_LOADER_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/plugin/registry/manifest.h"

namespace dovetail {

// The libraries that a user means by `path`: a file; a folder, for each
// *_plugin.so in it, sorted; or a name without a slash, such as "cpu" or
// "cpu_plugin.so", of a file in the current folder or else in one of those that
// DOVETAIL_PLUGIN_PATH lists, separated by colons. kNotFound, with the folders
// that were looked in, when there is none.
absl::StatusOr<std::vector<std::string>> FindPluginLibraries(
    const std::string& path);

// The manifest of the library at `path`, which shares with this program what
// there is one of in a process. It stays loaded for good: objects of its
// classes and threads in its code may be anywhere, and what it costs is its
// place in the address space. Loading it again gives the same manifest.
// kNotFound when there is no such file, kFailedPrecondition with the linker's
// words when it cannot be loaded or is no plugin, and as of CheckManifest.
absl::StatusOr<const PluginManifest*> LoadManifest(const std::string& path);

// A sort of shared library: by the C function that gives its manifest, and what
// messages call it.
struct LibraryKind {
  const char* function;    // "dovetail_plugin_manifest"
  absl::string_view noun;  // "plugin"
};
// The manifest of a library of any kind, with errors as of LoadManifest.
// `check` looks at what comes behind the head, which has been checked; then the
// library has joined the process.
absl::StatusOr<const ManifestHead*> LoadLibrary(
    const std::string& path, const LibraryKind& kind,
    absl::FunctionRef<absl::Status(const ManifestHead& head)> check);

// What CheckManifest says of any library.
absl::Status CheckHead(const ManifestHead* head);

// Whether this program can use the plugin: kFailedPrecondition with both values
// when core's headers or the toolchain differ, kInvalidArgument when it is
// incomplete.
absl::Status CheckManifest(const PluginManifest* manifest);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_REGISTRY_LOADER_H_
