#include "dovetail/core/plugin/loader.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include "absl/strings/string_view.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

std::string LinkerError() {
  const char* error = dlerror();
  return error == nullptr ? "unknown error" : error;
}

}  // namespace

absl::StatusOr<const PluginManifest*> LoadManifest(const std::string& path) {
  struct stat info;
  // Without a slash the linker would search its own folders for the name.
  const std::string file =
      path.find('/') == std::string::npos ? "./" + path : path;
  if (stat(file.c_str(), &info) != 0) {
    return NotFound("there is no plugin library '", path, "'");
  }
  // Local: the plugin's copy of Dovetail must not be mixed with the program's.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return FailedPrecondition("plugin library '", path,
                              "' cannot be loaded: ", LinkerError());
  }
  void* symbol = dlsym(library, kManifestFunction);
  if (symbol == nullptr) {
    return FailedPrecondition("'", path, "' is no Dovetail plugin: ",
                              LinkerError());
  }
  const PluginManifest* manifest =
      reinterpret_cast<ManifestFunction>(symbol)();
  DOVETAIL_RETURN_IF_ERROR(Annotate(CheckManifest(manifest),
                                    "plugin library '" + path + "'"));
  return manifest;
}

absl::Status CheckManifest(const PluginManifest* manifest) {
  if (manifest == nullptr) return InvalidArgument("it gives no manifest");
  if (manifest->abi_version != kPluginAbiVersion) {
    return FailedPrecondition("it was built for plugin interface version ",
                              manifest->abi_version, ", this program has ",
                              kPluginAbiVersion);
  }
  if (manifest->build_id == nullptr || manifest->name == nullptr ||
      manifest->make_plugin == nullptr) {
    return InvalidArgument("its manifest is incomplete");
  }
  if (absl::string_view(manifest->build_id) != DOVETAIL_BUILD_ID) {
    return FailedPrecondition("it was built with ", manifest->build_id,
                              ", this program with ", DOVETAIL_BUILD_ID);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
