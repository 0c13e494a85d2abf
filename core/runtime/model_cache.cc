#include "dovetail/core/runtime/model_cache.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/hashing.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/runtime/blob_header.h"
#include "dovetail/core/runtime/files.h"

namespace dovetail {

std::string CachePath(const std::string& folder, const Model& model,
                      const Config& config, absl::string_view device,
                      absl::string_view architecture) {
  StableHash hash;
  hash.Add(model.Hash());
  hash.AddText(model.name());
  hash.AddText(CurrentBuild());
  hash.AddText(device);
  hash.AddText(architecture);
  for (const auto& [name, entry] : config.entries()) {
    if (name == properties::kCacheDir) continue;
    hash.AddText(name);
    hash.AddText(entry.value);
  }
  return absl::StrCat(folder, "/", absl::Hex(hash.value(), absl::kZeroPad16),
                      ".blob");
}

absl::Status StoreInCache(const std::string& path, absl::string_view bytes) {
  const std::filesystem::path folder =
      std::filesystem::path(path).parent_path();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return Unavailable("the folder '", folder.string(),
                       "' cannot be made: ", error.message());
  }
  return WriteFileAtomically(path, bytes);
}

}  // namespace dovetail
