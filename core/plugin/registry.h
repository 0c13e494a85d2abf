// Which plugins there are.
#ifndef DOVETAIL_CORE_PLUGIN_REGISTRY_H_
#define DOVETAIL_CORE_PLUGIN_REGISTRY_H_

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

// Plugins by name. A plugin is made when it is first asked for. Thread-safe.
class PluginRegistry {
 public:
  // The one that registrations at start-up fill and that programs use by
  // default. Tests make their own.
  static PluginRegistry& Global();

  PluginRegistry();
  ~PluginRegistry();

  // kAlreadyExists when the name is taken, kInvalidArgument for a bad name.
  absl::Status Register(absl::string_view name, PluginFactory factory);
  // A second name for a plugin; Names() does not list it. Errors as Register.
  absl::Status RegisterAlias(absl::string_view alias, absl::string_view name);
  // Remembers that a device exists but is not built in, and how to get it.
  void RegisterLeftOut(absl::string_view name, absl::string_view how_to_get);
  // Loads a shared plugin; see loader.h. A library that cannot be loaded stays
  // in Failures() with its reason.
  absl::Status Load(const std::string& path);

  // Registered names, sorted.
  std::vector<std::string> Names() const;
  // The plugin of that name. kNotFound lists what there is, and for a device
  // that was left out, the flag that leaves it out. A factory that fails is
  // asked again next time.
  absl::StatusOr<const Plugin*> Get(absl::string_view name);
  // What could not be loaded or made, with the reason, by path or name.
  std::map<std::string, absl::Status> Failures() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Registers a plugin when the program starts; stops the process with a message
// when the name is taken. In a file and a target of its own:
//
//   DOVETAIL_REGISTER_PLUGIN("NULL", MakeNullPlugin);
#define DOVETAIL_REGISTER_PLUGIN(name, factory)              \
  [[maybe_unused]] static const bool dovetail_registered_ =  \
      ::dovetail::internal::RegisterPluginOrDie(name, factory)
#define DOVETAIL_REGISTER_PLUGIN_ALIAS(alias, name)                 \
  [[maybe_unused]] static const bool dovetail_alias_registered_ =  \
      ::dovetail::internal::RegisterPluginAliasOrDie(alias, name)

namespace internal {
bool RegisterPluginOrDie(absl::string_view name, PluginFactory factory);
bool RegisterPluginAliasOrDie(absl::string_view alias, absl::string_view name);
}  // namespace internal

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_REGISTRY_H_
