// Files of configurations and sources.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SOURCE_FILE_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SOURCE_FILE_H_

#include <functional>
#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace dovetail {

// The text of a file by its path from the configuration's folder; kNotFound
// where there is none.
using ReadSourceFn =
    std::function<absl::StatusOr<std::string>(const std::string& path)>;

// All bytes of a file, read now: it may change later. Errors of MappedFile::Read.
absl::StatusOr<std::string> ReadSourceFile(const std::string& path);

// Reads files from the folder of the configuration at that path.
ReadSourceFn SourcesBeside(const std::string& configuration);
// Finds texts by their names, which have to stay meanwhile.
ReadSourceFn SourcesGiven(const std::map<std::string, std::string>& sources);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SOURCE_FILE_H_
