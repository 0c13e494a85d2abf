#include "dovetail/core/runtime/model_cache.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/files/file_identity.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

// Where things are kept and what is told of them changes nothing about them.
bool Matters(absl::string_view property) {
  static const auto& without_effect = *new std::set<absl::string_view>{
      properties::kCacheDir, properties::kCacheSizeLimit, properties::kLogLevel,
      properties::kPrintPasses, properties::kPrintPlan};
  return without_effect.count(property) == 0;
}

CacheKey KeyOf(absl::string_view model, const Config& config,
               const CompilationIdentity& identity) {
  CacheKey key;
  key.text = absl::StrCat("model ", model, "\ndevice ", identity.device, "\n");
  for (const auto& [name, entry] : config.entries()) {
    if (!Matters(name)) continue;
    absl::StrAppend(&key.text, name, "=", entry.value, "\n");
  }
  key.conditions["build"] = identity.header.build;
  key.conditions["device architecture"] = identity.header.architecture;
  key.conditions["device state"] = identity.plugin;
  // Which of them the model needs is known only when it has been read.
  for (const auto& [name, build] : identity.extensions) {
    key.conditions[absl::StrCat("extension '", name, "'")] = build;
  }
  return key;
}

}  // namespace

CacheKey KeyOfModel(const Model& model, const Config& config,
                    const CompilationIdentity& identity) {
  return KeyOf(absl::StrCat("'", model.name(), "' with hash ",
                            absl::Hex(model.Hash(/*with_rt_info=*/true),
                                      absl::kZeroPad16)),
               config, identity);
}

absl::StatusOr<CacheKey> KeyOfFiles(const std::vector<std::string>& files,
                                    const Config& config,
                                    const CompilationIdentity& identity) {
  std::string names;
  std::map<std::string, std::string> conditions;
  for (const std::string& path : files) {
    DOVETAIL_ASSIGN_OR_RETURN(const FileIdentity file, IdentifyFile(path));
    if (!file.settled) {
      return FailedPrecondition("'", path, "' has only just changed");
    }
    absl::StrAppend(&names, names.empty() ? "" : " and ", "'", file.path, "'");
    conditions[absl::StrCat("file '", file.path, "'")] = file.ToString();
  }
  CacheKey key = KeyOf(names, config, identity);
  key.conditions.merge(conditions);
  return key;
}

std::string TextOfIdentity(const Config& config,
                           const CompilationIdentity& identity) {
  const CacheKey key = KeyOf("", config, identity);
  std::string text = key.text;
  for (const auto& [name, value] : key.conditions) {
    absl::StrAppend(&text, name, "=", value, "\n");
  }
  return text;
}

}  // namespace dovetail
