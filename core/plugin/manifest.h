// What a shared plugin shows: one C function that gives its manifest.
//
// A plugin library is a file of its own, <name>_plugin.so, that exports
// dovetail_plugin_manifest and nothing else. It is made by the same compiler
// and with the same Abseil (shared, not static) as the program that loads it.
#ifndef DOVETAIL_CORE_PLUGIN_MANIFEST_H_
#define DOVETAIL_CORE_PLUGIN_MANIFEST_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/build_id.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Grows whenever a class or function that plugins see changes.
inline constexpr uint32_t kPluginAbiVersion = 1;

// The version comes first and stays first: nothing after it is looked at when
// it differs. Everything in it lives as long as the library.
struct PluginManifest {
  uint32_t abi_version;
  const char* build_id;
  const char* name;  // of the device: "NULL"
  absl::StatusOr<std::unique_ptr<Plugin>> (*make_plugin)();
};

// The name of the function and its type.
inline constexpr char kManifestFunction[] = "dovetail_plugin_manifest";
using ManifestFunction = const PluginManifest* (*)();

// Defines the function, in a file that is only linked into the shared plugin.
#define DOVETAIL_SHARED_PLUGIN(name, make_plugin)                         \
  extern "C" __attribute__((visibility("default")))                       \
  const ::dovetail::PluginManifest* dovetail_plugin_manifest() {          \
    static const ::dovetail::PluginManifest manifest = {                  \
        ::dovetail::kPluginAbiVersion, DOVETAIL_BUILD_ID, name,           \
        make_plugin};                                                     \
    return &manifest;                                                     \
  }                                                                       \
  static_assert(true, "so that a semicolon can follow")

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_MANIFEST_H_
