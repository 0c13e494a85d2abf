#include "dovetail/core/plugin/registry.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/nearest.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/loader.h"

namespace dovetail {
namespace {

absl::Status CheckName(absl::string_view name) {
  bool good = !name.empty();
  for (const char c : name) {
    good = good && (absl::ascii_isupper(c) || absl::ascii_isdigit(c) ||
                    c == '_');
  }
  if (good) return absl::OkStatus();
  return InvalidArgument("'", name, "' is no name of a device: want upper ",
                         "case letters, digits and '_'");
}

// A plugin and how it is made. The lock is held while that happens, so that it
// happens once; a plugin that is made of others may ask the registry for them.
struct Entry {
  PluginFactory factory;
  std::mutex mutex;
  std::unique_ptr<Plugin> plugin;

  absl::StatusOr<const Plugin*> Get(absl::string_view name) {
    std::lock_guard<std::mutex> lock(mutex);
    if (plugin != nullptr) return plugin.get();
    DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Plugin> made, factory());
    if (made == nullptr) {
      return Internal("the factory of device ", name, " gave no plugin");
    }
    plugin = std::move(made);
    return plugin.get();
  }
};

[[noreturn]] void Die(const absl::Status& status) {
  std::fprintf(stderr, "dovetail: cannot register a plugin: %s\n",
               std::string(status.message()).c_str());
  std::abort();
}

}  // namespace

struct PluginRegistry::Impl {
  mutable std::mutex mutex;
  std::map<std::string, std::shared_ptr<Entry>> entries;
  std::map<std::string, std::string> aliases;
  std::map<std::string, std::string> left_out;  // with how to get them
  std::map<std::string, absl::Status> failures;

  // What the error for an unknown device says.
  absl::Status Unknown(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& [known, entry] : entries) names.push_back(known);
    std::string hint;
    if (const auto it = left_out.find(name); it != left_out.end()) {
      hint = absl::StrCat("it was left out of this build: ", it->second, "; ");
    }
    for (const auto& [path, failure] : failures) {
      if (entries.count(path) > 0) continue;
      absl::StrAppend(&hint, failure.message(), "; ");
    }
    const std::string nearest = Nearest(name, names);
    if (!nearest.empty() && hint.empty()) {
      hint = absl::StrCat("did you mean '", nearest, "'? ");
    }
    return NotFound("there is no device '", name, "'; ", hint,
                    "the devices are: ",
                    names.empty() ? "none, link one of //backends"
                                  : absl::StrJoin(names, ", "));
  }
};

PluginRegistry& PluginRegistry::Global() {
  // Never destroyed: a plugin may be in use until the process ends.
  static PluginRegistry& registry = *new PluginRegistry;
  return registry;
}

PluginRegistry::PluginRegistry() : impl_(std::make_unique<Impl>()) {}
PluginRegistry::~PluginRegistry() = default;

absl::Status PluginRegistry::Register(absl::string_view name,
                                      PluginFactory factory) {
  DOVETAIL_RETURN_IF_ERROR(CheckName(name));
  auto entry = std::make_shared<Entry>();
  entry->factory = std::move(factory);
  const std::string key(name);
  std::lock_guard<std::mutex> lock(impl_->mutex);
  if (impl_->aliases.count(key) > 0 ||
      !impl_->entries.emplace(key, std::move(entry)).second) {
    return AlreadyExists("device ", name, " is registered already");
  }
  return absl::OkStatus();
}

absl::Status PluginRegistry::RegisterAlias(absl::string_view alias,
                                           absl::string_view name) {
  DOVETAIL_RETURN_IF_ERROR(CheckName(alias));
  const std::string key(alias);
  std::lock_guard<std::mutex> lock(impl_->mutex);
  if (impl_->entries.count(key) > 0 ||
      !impl_->aliases.emplace(key, std::string(name)).second) {
    return AlreadyExists("device ", alias, " is registered already");
  }
  return absl::OkStatus();
}

void PluginRegistry::RegisterLeftOut(absl::string_view name,
                                     absl::string_view how_to_get) {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->left_out[std::string(name)] = std::string(how_to_get);
}

absl::Status PluginRegistry::Load(const std::string& path) {
  const auto load = [&]() -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(const PluginManifest* manifest,
                              LoadManifest(path));
    return Annotate(Register(manifest->name, manifest->make_plugin),
                    absl::StrCat("plugin library '", path, "'"));
  };
  const absl::Status status = load();
  std::lock_guard<std::mutex> lock(impl_->mutex);
  if (status.ok()) {
    impl_->failures.erase(path);
  } else {
    impl_->failures[path] = status;
  }
  return status;
}

std::vector<std::string> PluginRegistry::Names() const {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  std::vector<std::string> names;
  for (const auto& [name, entry] : impl_->entries) names.push_back(name);
  return names;
}

absl::StatusOr<const Plugin*> PluginRegistry::Get(absl::string_view name_in) {
  std::string name(name_in);
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard<std::mutex> lock(impl_->mutex);
    if (const auto alias = impl_->aliases.find(name);
        alias != impl_->aliases.end()) {
      name = alias->second;
    }
    const auto it = impl_->entries.find(name);
    if (it == impl_->entries.end()) return impl_->Unknown(name);
    entry = it->second;
  }
  absl::StatusOr<const Plugin*> plugin = entry->Get(name);
  std::lock_guard<std::mutex> lock(impl_->mutex);
  if (plugin.ok()) {
    impl_->failures.erase(name);
    return plugin;
  }
  const absl::Status failure =
      Annotate(plugin.status(), absl::StrCat("device ", name));
  impl_->failures[name] = failure;
  return failure;
}

std::map<std::string, absl::Status> PluginRegistry::Failures() const {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  return impl_->failures;
}

namespace internal {

bool RegisterPluginOrDie(absl::string_view name, PluginFactory factory) {
  const absl::Status status =
      PluginRegistry::Global().Register(name, std::move(factory));
  if (!status.ok()) Die(status);
  return true;
}

bool RegisterPluginAliasOrDie(absl::string_view alias,
                              absl::string_view name) {
  const absl::Status status =
      PluginRegistry::Global().RegisterAlias(alias, name);
  if (!status.ok()) Die(status);
  return true;
}

}  // namespace internal
}  // namespace dovetail
