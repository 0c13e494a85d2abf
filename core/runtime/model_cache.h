// Under which keys compiled models are kept in CACHE_DIR.
#ifndef DOVETAIL_CORE_RUNTIME_MODEL_CACHE_H_
#define DOVETAIL_CORE_RUNTIME_MODEL_CACHE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/cache/cache_folder.h"
#include "dovetail/core/extension/extension_table.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/runtime/blob_header.h"

namespace dovetail {

// What of a compilation decides about its result beside the model.
struct CompilationIdentity {
  std::string device;          // as the user named it: "GPU.1"
  std::string plugin;          // Plugin::CacheIdentity
  BlobHeader header;           // build and architecture
  ExtensionBuilds extensions;  // those that the Core has
};

// Of a model in memory: by a hash of all that is in it.
CacheKey KeyOfModel(const Model& model, const Config& config,
                    const CompilationIdentity& identity);
// Of a model's files, without reading them: by their paths, sizes and times of
// change. kFailedPrecondition when one has changed so short ago that its time
// does not tell its content; errors of IdentifyFile.
absl::StatusOr<CacheKey> KeyOfFiles(const std::vector<std::string>& files,
                                    const Config& config,
                                    const CompilationIdentity& identity);

// What both keys say beside the model, as one text: for the key of a device of
// which this one is a part.
std::string TextOfIdentity(const Config& config,
                           const CompilationIdentity& identity);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_MODEL_CACHE_H_
