// Files of configurations and sources.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SOURCE_FILE_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SOURCE_FILE_H_

#include <string>

#include "absl/status/statusor.h"

namespace dovetail {

// All bytes of a file, read now: it may change later. Errors of MappedFile::Read.
absl::StatusOr<std::string> ReadSourceFile(const std::string& path);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SOURCE_FILE_H_
