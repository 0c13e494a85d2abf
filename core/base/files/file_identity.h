// Identity of a file: whether it is still the one that it was, without reading
// it.
#ifndef DOVETAIL_CORE_BASE_FILES_FILE_IDENTITY_H_
#define DOVETAIL_CORE_BASE_FILES_FILE_IDENTITY_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

struct stat;

namespace dovetail {

// The status that an `errno` about a file means: kNotFound, kPermissionDenied,
// kResourceExhausted (memory, descriptors, room on the disk), else `otherwise`.
absl::Status FileError(
    absl::string_view path, int error,
    absl::StatusCode otherwise = absl::StatusCode::kInvalidArgument);

struct FileIdentity {
  std::string path;         // absolute, as the caller named it
  uint64_t size = 0;        // bytes
  int64_t modified_ns = 0;  // when its bytes changed, ns since 1970; a copy may
                            // keep it
  int64_t changed_ns = 0;   // when anything of it changed, ns since 1970; the
                            // system alone sets it

  // For keys of caches: the four in one line. Two files of one text hold the
  // same bytes, if `settled`.
  std::string ToString() const;
  // Whether the last change lies far enough back that another one now would
  // bear another time: the clocks of file systems go in steps. What has not
  // settled must not be known again by its identity.
  bool settled = false;
};

// kNotFound when there is no such file, kInvalidArgument when it is no regular
// one, kPermissionDenied when it may not be looked at.
absl::StatusOr<FileIdentity> IdentifyFile(const std::string& path);

// The same of what fstat() has said.
FileIdentity IdentityOf(const std::string& path, const struct stat& status);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_FILES_FILE_IDENTITY_H_
