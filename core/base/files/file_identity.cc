#include "dovetail/core/base/files/file_identity.h"

#include <sys/stat.h>
#include <time.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace dovetail {
namespace {

// The coarsest clock of a file system in use, that of FAT, ticks every two
// seconds; those of Linux's own every 1 to 10 ms. Who wants more waits.
constexpr int64_t kFineTick = 20'000'000;
constexpr int64_t kCoarseTick = 2'000'000'000;
constexpr int64_t kSecond = 1'000'000'000;

int64_t Nanoseconds(const struct timespec& time) {
  return int64_t{time.tv_sec} * kSecond + time.tv_nsec;
}

int64_t Now() {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return Nanoseconds(now);
}

// A time without a fraction comes from a clock of whole seconds.
bool Settled(int64_t change) {
  const int64_t tick = change % kSecond == 0 ? kCoarseTick : kFineTick;
  return Now() - change > tick;
}

std::string Absolute(const std::string& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.lexically_normal().string();
}

absl::StatusCode CodeOf(int error, absl::StatusCode otherwise) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return absl::StatusCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::StatusCode::kPermissionDenied;
    case ENOMEM:
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::StatusCode::kResourceExhausted;
    default:
      return otherwise;
  }
}

}  // namespace

absl::Status FileError(absl::string_view path, int error,
                       absl::StatusCode otherwise) {
  return absl::Status(CodeOf(error, otherwise),
                      absl::StrCat("file \"", path, "\": ",
                                   std::generic_category().message(error)));
}

std::string FileIdentity::ToString() const {
  return absl::StrCat(path, " size ", size, " modified ", modified_ns,
                      " changed ", changed_ns);
}

FileIdentity IdentityOf(const std::string& path, const struct stat& status) {
  FileIdentity identity;
  identity.path = Absolute(path);
  identity.size = static_cast<uint64_t>(status.st_size);
  identity.modified_ns = Nanoseconds(status.st_mtim);
  identity.changed_ns = Nanoseconds(status.st_ctim);
  identity.settled =
      Settled(identity.modified_ns) && Settled(identity.changed_ns);
  return identity;
}

absl::StatusOr<FileIdentity> IdentifyFile(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError("a file name holds a zero byte");
  }
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return FileError(path, errno);
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("file \"", path, "\" is no regular file"));
  }
  return IdentityOf(path, status);
}

}  // namespace dovetail
