#include "dovetail/core/plugin/registry/registry.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/nearest.h"
#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/registry/loader.h"

namespace dovetail {
namespace {

absl::Status CheckName(absl::string_view name) {
  bool good = !name.empty();
  for (const char c : name) {
    good =
        good && (absl::ascii_isupper(c) || absl::ascii_isdigit(c) || c == '_');
  }
  if (good) return absl::OkStatus();
  return InvalidArgument("'", name, "' is no name of a device: want upper ",
                         "case letters, digits and '_'");
}

// A plugin and how it is made. The lock is held while that happens, so that it
// happens once; a plugin that is made of others may ask the registry for them.
struct Entry {
  PluginVersion version;
  int priority = 0;
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

// `path` is "" for a plugin that is linked in.
PluginInfo InfoOf(const PluginManifest& manifest, const std::string& path) {
  PluginInfo info;
  info.name = manifest.name;
  info.aliases = absl::StrSplit(manifest.aliases, ' ', absl::SkipEmpty());
  info.version.description = manifest.description;
  info.version.build = absl::StrCat(manifest.build, ", ", manifest.toolchain);
  info.version.library = path;
  info.priority = manifest.priority;
  return info;
}

// Whether it is the plugin library of that device, by its name.
bool IsLibraryOf(absl::string_view path, absl::string_view device) {
  const absl::string_view file = path.substr(path.rfind('/') + 1);
  return absl::StartsWith(
      file, absl::StrCat(absl::AsciiStrToLower(device), "_plugin"));
}

[[noreturn]] void Die(const absl::Status& status) {
  std::fprintf(stderr, "dovetail: cannot register a plugin: %s\n",
               std::string(status.message()).c_str());
  std::abort();
}

}  // namespace

struct PluginRegistry::Impl {
  // Held while a library is loaded and registered, so that who finds it loaded
  // finds its devices, too. Never taken within `mutex`.
  std::mutex load_mutex;
  mutable std::mutex mutex;
  std::map<std::string, std::shared_ptr<Entry>> entries;
  std::map<std::string, std::string> aliases;
  std::map<std::string, std::string> left_out;  // with how to get them
  std::map<std::string, absl::Status> failures;
  // The manifests of libraries, by which they are known whatever path leads to
  // them. Guarded by load_mutex.
  std::set<const PluginManifest*> loaded;

  std::string OwnName(absl::string_view name) const {
    const auto alias = aliases.find(std::string(name));
    return alias == aliases.end() ? std::string(name) : alias->second;
  }

  absl::Status CheckFree(const std::string& name) const {
    const auto it = entries.find(OwnName(name));
    if (it == entries.end() && aliases.count(name) == 0) {
      return absl::OkStatus();
    }
    std::string from;
    if (it != entries.end() && !it->second->version.library.empty()) {
      from = absl::StrCat(", from '", it->second->version.library, "'");
    }
    return AlreadyExists("device ", name, " is registered already", from);
  }

  // What the error for an unknown device says of how to get it.
  std::string Hint(const std::string& name,
                   const std::vector<std::string>& names) const {
    std::string hint;
    if (const auto it = left_out.find(name); it != left_out.end()) {
      hint = absl::StrCat("it was left out of this build: ", it->second, "; ");
    }
    for (const auto& [path, failure] : failures) {
      if (!IsLibraryOf(path, name)) continue;
      absl::StrAppend(&hint, failure.message(), "; ");
    }
    if (!hint.empty()) return hint;
    const std::string nearest = Nearest(name, names);
    return nearest.empty() ? ""
                           : absl::StrCat("did you mean '", nearest, "'? ");
  }

  // The error for an unknown device.
  absl::Status Unknown(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& [known, entry] : entries) names.push_back(known);
    return NotFound("there is no device '", name, "'; ", Hint(name, names),
                    "the devices are: ",
                    names.empty() ? "none, link one of //backends"
                                  : absl::StrJoin(names, ", "));
  }

  absl::StatusOr<std::shared_ptr<Entry>> Find(const std::string& name) const {
    const auto it = entries.find(name);
    if (it == entries.end()) return Unknown(name);
    return it->second;
  }
};

PluginRegistry& PluginRegistry::Global() {
  return ProcessWide<PluginRegistry>("core/plugin registry");
}

PluginRegistry::PluginRegistry() : impl_(std::make_unique<Impl>()) {}
PluginRegistry::~PluginRegistry() = default;

absl::Status PluginRegistry::Register(absl::string_view name,
                                      PluginFactory factory) {
  PluginInfo info;
  info.name = std::string(name);
  return Register(std::move(info), std::move(factory));
}

absl::Status PluginRegistry::Register(PluginInfo info, PluginFactory factory) {
  auto entry = std::make_shared<Entry>();
  entry->version = std::move(info.version);
  entry->priority = info.priority;
  entry->factory = std::move(factory);
  std::vector<std::string> names = info.aliases;
  names.push_back(info.name);
  std::lock_guard<std::mutex> lock(impl_->mutex);
  for (const std::string& name : names) {
    DOVETAIL_RETURN_IF_ERROR(CheckName(name));
    DOVETAIL_RETURN_IF_ERROR(impl_->CheckFree(name));
  }
  impl_->entries[info.name] = std::move(entry);
  for (const std::string& alias : info.aliases) {
    impl_->aliases[alias] = info.name;
  }
  return absl::OkStatus();
}

absl::Status PluginRegistry::RegisterAlias(absl::string_view alias,
                                           absl::string_view name) {
  DOVETAIL_RETURN_IF_ERROR(CheckName(alias));
  const std::string key(alias);
  std::lock_guard<std::mutex> lock(impl_->mutex);
  DOVETAIL_RETURN_IF_ERROR(impl_->CheckFree(key));
  impl_->aliases[key] = std::string(name);
  return absl::OkStatus();
}

void PluginRegistry::RegisterLeftOut(absl::string_view name,
                                     absl::string_view how_to_get) {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->left_out[std::string(name)] = std::string(how_to_get);
}

absl::Status PluginRegistry::LoadFile(const std::string& path) {
  std::lock_guard<std::mutex> load_lock(impl_->load_mutex);
  DOVETAIL_ASSIGN_OR_RETURN(const PluginManifest* manifest, LoadManifest(path));
  if (impl_->loaded.count(manifest) > 0) return absl::OkStatus();
  DOVETAIL_RETURN_IF_ERROR(
      Annotate(Register(InfoOf(*manifest, path), manifest->make_plugin),
               absl::StrCat("plugin library '", path, "'")));
  impl_->loaded.insert(manifest);
  return absl::OkStatus();
}

absl::Status PluginRegistry::Load(const std::string& path) {
  const absl::StatusOr<std::vector<std::string>> files =
      FindPluginLibraries(path);
  if (!files.ok()) {
    std::lock_guard<std::mutex> lock(impl_->mutex);
    return impl_->failures[path] = files.status();
  }
  absl::Status first;
  for (const std::string& file : *files) {
    const absl::Status status = LoadFile(file);
    first.Update(status);
    std::lock_guard<std::mutex> lock(impl_->mutex);
    if (status.ok()) {
      impl_->failures.erase(file);
    } else {
      impl_->failures[file] = status;
    }
  }
  return first;
}

std::vector<std::string> PluginRegistry::Names() const {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  std::vector<std::string> names;
  for (const auto& [name, entry] : impl_->entries) names.push_back(name);
  return names;
}

std::vector<std::string> PluginRegistry::ByPriority() const {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  std::vector<std::pair<int, std::string>> ranked;
  for (const auto& [name, entry] : impl_->entries) {
    if (entry->priority > 0) ranked.emplace_back(-entry->priority, name);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (auto& [rank, name] : ranked) names.push_back(std::move(name));
  return names;
}

std::map<std::string, PluginVersion> PluginRegistry::Versions() const {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  std::map<std::string, PluginVersion> versions;
  for (const auto& [name, entry] : impl_->entries) {
    versions[name] = entry->version;
  }
  return versions;
}

absl::StatusOr<PluginVersion> PluginRegistry::Version(
    absl::string_view name) const {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<Entry> entry,
                            impl_->Find(impl_->OwnName(name)));
  return entry->version;
}

absl::StatusOr<const Plugin*> PluginRegistry::Get(absl::string_view name_in) {
  std::string name;
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard<std::mutex> lock(impl_->mutex);
    name = impl_->OwnName(name_in);
    DOVETAIL_ASSIGN_OR_RETURN(entry, impl_->Find(name));
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

bool RegisterPluginOrDie(const PluginManifest& manifest) {
  const absl::Status status = PluginRegistry::Global().Register(
      InfoOf(manifest, /*path=*/""), manifest.make_plugin);
  if (!status.ok()) Die(status);
  return true;
}

}  // namespace internal
}  // namespace dovetail
