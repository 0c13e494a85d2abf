// Description of a plugin before it is made, the same whether a program
// links it or loads it when it runs.
//
// A plugin library is a file of its own, <name>_plugin.so, that exports the C
// function dovetail_plugin_manifest and nothing else. It is made from the same
// headers of core, by the same compiler and with the same Abseil (shared, not
// static) as the program that loads it.
#ifndef DOVETAIL_CORE_PLUGIN_REGISTRY_MANIFEST_H_
#define DOVETAIL_CORE_PLUGIN_REGISTRY_MANIFEST_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// What the manifests of all shared libraries begin with: of plugins, and of
// operations (core/extension). Everything in it lives as long as the library.
struct ManifestHead {
  // AbiHash() of the copy of core that the library has. It comes first and
  // stays first, in the manifest itself: nothing after it is looked at when it
  // differs.
  char abi[17];
  const char* toolchain;    // Toolchain() of that copy
  const char* name;         // of the device: "REFERENCE"; of the extension
  const char* description;  // for people: "reference interpreter"
  const char* build;        // a hash over all the sources that it is made of
  // Given the program's table before anything else is called.
  absl::Status (*join_process)(ProcessTable& table);
};

// That of a library of this copy of core.
ManifestHead MakeManifestHead(const char* name, const char* description,
                              const char* build);

struct PluginManifest : ManifestHead {
  const char* aliases;  // more names of it, with spaces between: "TEMPLATE"
  // Which device an empty name means: the available one of the highest; 0 and
  // below are taken only by name.
  int priority;
  absl::StatusOr<std::unique_ptr<Plugin>> (*make_plugin)();
};

// The manifest of a plugin of this copy of core.
PluginManifest MakeManifest(
    const char* name, const char* aliases, const char* description,
    int priority, const char* build,
    absl::StatusOr<std::unique_ptr<Plugin>> (*make_plugin)());

// The name of the function and its type.
inline constexpr char kManifestFunction[] = "dovetail_plugin_manifest";
using ManifestFunction = const PluginManifest* (*)();

namespace internal {
// In registry.cc.
bool RegisterPluginOrDie(const PluginManifest& manifest);
}  // namespace internal

// DOVETAIL_PLUGIN("REFERENCE", "TEMPLATE", "reference interpreter",
//                 /*priority=*/1, MakeIt):
// the one line of registration.cc, which dovetail_plugin of
// tools/build_rules/plugin.bzl compiles twice. Linked into a program it
// registers the plugin when the program starts, and stops the process with a
// message when a name is taken; in a plugin library it defines the function.
// The file includes the generated plugin_build.h of its folder.
#define DOVETAIL_PLUGIN_MANIFEST_(name, aliases, description, priority, \
                                  make_plugin)                          \
  ::dovetail::MakeManifest(name, aliases, description, priority,        \
                           DOVETAIL_PLUGIN_BUILD, make_plugin)
#ifdef DOVETAIL_PLUGIN_LIBRARY
#define DOVETAIL_PLUGIN(name, aliases, description, priority, make_plugin) \
  extern "C" __attribute__((visibility("default")))                        \
  const ::dovetail::PluginManifest*                                        \
  dovetail_plugin_manifest() {                                             \
    static const ::dovetail::PluginManifest manifest =                     \
        DOVETAIL_PLUGIN_MANIFEST_(name, aliases, description, priority,    \
                                  make_plugin);                            \
    return &manifest;                                                      \
  }                                                                        \
  static_assert(true, "so that a semicolon can follow")
#else
#define DOVETAIL_PLUGIN(name, aliases, description, priority, make_plugin) \
  [[maybe_unused]] static const bool dovetail_registered_ =                \
      ::dovetail::internal::RegisterPluginOrDie(DOVETAIL_PLUGIN_MANIFEST_( \
          name, aliases, description, priority, make_plugin))
#endif

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_REGISTRY_MANIFEST_H_
