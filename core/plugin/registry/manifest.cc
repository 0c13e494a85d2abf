#include "dovetail/core/plugin/registry/manifest.h"

#include <cstring>

#include "dovetail/core/plugin/registry/build_id.h"

namespace dovetail {

ManifestHead MakeManifestHead(const char* name, const char* description,
                              const char* build) {
  ManifestHead head = {};
  // Zeros follow where the hash is shorter.
  std::strncpy(head.abi, AbiHash().data(), sizeof(head.abi) - 1);
  head.toolchain = Toolchain().data();
  head.name = name;
  head.description = description;
  head.build = build;
  head.join_process = &JoinProcess;
  return head;
}

PluginManifest MakeManifest(
    const char* name, const char* aliases, const char* description,
    int priority, const char* build,
    absl::StatusOr<std::unique_ptr<Plugin>> (*make_plugin)()) {
  PluginManifest manifest = {};
  static_cast<ManifestHead&>(manifest) =
      MakeManifestHead(name, description, build);
  manifest.aliases = aliases;
  manifest.priority = priority;
  manifest.make_plugin = make_plugin;
  return manifest;
}

}  // namespace dovetail
