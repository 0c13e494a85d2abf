#include "dovetail/core/plugin/manifest.h"

#include <cstring>

#include "dovetail/core/plugin/build_id.h"

namespace dovetail {

PluginManifest MakeManifest(
    const char* name, const char* aliases, const char* description,
    int priority, const char* build,
    absl::StatusOr<std::unique_ptr<Plugin>> (*make_plugin)()) {
  PluginManifest manifest = {};
  // Zeros follow where the hash is shorter.
  std::strncpy(manifest.abi, AbiHash().data(), sizeof(manifest.abi) - 1);
  manifest.toolchain = Toolchain().data();
  manifest.name = name;
  manifest.aliases = aliases;
  manifest.description = description;
  manifest.priority = priority;
  manifest.build = build;
  manifest.join_process = &JoinProcess;
  manifest.make_plugin = make_plugin;
  return manifest;
}

}  // namespace dovetail
