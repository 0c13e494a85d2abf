// Registry of the plugins that there are.
#ifndef DOVETAIL_CORE_PLUGIN_REGISTRY_REGISTRY_H_
#define DOVETAIL_CORE_PLUGIN_REGISTRY_REGISTRY_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

using PluginFactory =
    std::function<absl::StatusOr<std::unique_ptr<Plugin>>()>;

// What GetVersions of OpenVINO answers for a device.
struct PluginVersion {
  std::string description;  // "reference interpreter"
  // A hash over all the sources that the plugin is made of, and the toolchain:
  // what it compiled is stale when this has changed. "" when nobody says.
  std::string build;
  std::string library;  // the file that it was loaded from; "" when linked in
};

// What is known of a plugin before it is made.
struct PluginInfo {
  std::string name;
  std::vector<std::string> aliases;
  PluginVersion version;
  // Which device an empty name means: the available one of the highest; 0 and
  // below are taken only by name.
  int priority = 0;
};

// Plugins by name. A plugin is made when it is first asked for. Thread-safe.
class PluginRegistry {
 public:
  // The process's: the one that registrations at start-up fill and that
  // programs use by default. Tests make their own.
  static PluginRegistry& Global();

  PluginRegistry();
  ~PluginRegistry();

  // All of the plugin's names, or none: kAlreadyExists when one is taken,
  // kInvalidArgument for a bad one.
  absl::Status Register(PluginInfo info, PluginFactory factory);
  absl::Status Register(absl::string_view name, PluginFactory factory);
  // A second name for a plugin; Names() does not list it. Errors as Register.
  absl::Status RegisterAlias(absl::string_view alias, absl::string_view name);
  // Remembers that a device exists but is not built in, and how to get it.
  void RegisterLeftOut(absl::string_view name, absl::string_view how_to_get);
  // Loads shared plugins: a file, all those of a folder, or a name that is
  // searched; see FindPluginLibraries. What cannot be loaded stays in
  // Failures() with its reason; of a folder, the others are loaded
  // nevertheless and the first error is the answer. A library that this
  // registry has loaded already is none.
  absl::Status Load(const std::string& path);

  // Registered names, sorted.
  std::vector<std::string> Names() const;
  // Those of a priority above 0, the highest first.
  std::vector<std::string> ByPriority() const;
  // By name, of all plugins. Makes none.
  std::map<std::string, PluginVersion> Versions() const;
  // Of one, by name or alias; kNotFound as Get.
  absl::StatusOr<PluginVersion> Version(absl::string_view name) const;
  // The plugin of that name. kNotFound lists what there is, for a device
  // that was left out, the flag that leaves it out, and why its library could
  // not be loaded. A factory that fails is asked again next time.
  absl::StatusOr<const Plugin*> Get(absl::string_view name);
  // What could not be loaded or made, with the reason, by path or name.
  std::map<std::string, absl::Status> Failures() const;

 private:
  absl::Status LoadFile(const std::string& path);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Registers a device of the program's own when it starts, as in a test; stops
// the process with a message when the name is taken. In a file and a target of
// its own. Backends use DOVETAIL_PLUGIN of manifest.h.
//
//   DOVETAIL_REGISTER_PLUGIN("FAKE", MakeFakePlugin);
#define DOVETAIL_REGISTER_PLUGIN(name, factory)             \
  [[maybe_unused]] static const bool dovetail_registered_ = \
      ::dovetail::internal::RegisterPluginOrDie(name, factory)

namespace internal {
bool RegisterPluginOrDie(absl::string_view name, PluginFactory factory);
}  // namespace internal

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_REGISTRY_REGISTRY_H_
