// Compiled models in a folder, so that compiling one again is reading a file.
#ifndef DOVETAIL_CORE_RUNTIME_MODEL_CACHE_H_
#define DOVETAIL_CORE_RUNTIME_MODEL_CACHE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/properties/config.h"

namespace dovetail {

// The file in `folder` for this model, compiled so for this device: its name is
// a hash of all that could make a difference, the program's build included.
std::string CachePath(const std::string& folder, const Model& model,
                      const Config& config, absl::string_view device,
                      absl::string_view architecture);

// Makes the folder if need be and puts the export there. Writers of one file do
// not disturb each other nor readers.
absl::Status StoreInCache(const std::string& path, absl::string_view bytes);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_MODEL_CACHE_H_
