// Whole files at a time.
#ifndef DOVETAIL_CORE_RUNTIME_FILES_H_
#define DOVETAIL_CORE_RUNTIME_FILES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// Writes `bytes` to a file beside `path` and then gives it that name, so that a
// reader sees the old file or the new one and never a part. kUnavailable with
// the system's reason.
absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view bytes);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_FILES_H_
