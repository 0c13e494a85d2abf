#include "dovetail/core/base/files/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/files/file_identity.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

constexpr absl::string_view kSuffix = ".tmp";
constexpr size_t kDigits = 16;
constexpr size_t kBufferBytes = 1 << 16;

// Names that others draw, too, in other processes and on other machines.
std::string DrawTemporaryName(const std::string& path) {
  std::random_device random;
  const uint64_t number = uint64_t{random()} << 32 | random();
  return absl::StrCat(path, ".", absl::Hex(number, absl::kZeroPad16), kSuffix);
}

// The own name of a temporary file's name, or "" when it is no such name.
absl::string_view OwnName(absl::string_view name) {
  if (!absl::ConsumeSuffix(&name, kSuffix) || name.size() <= kDigits + 1) {
    return "";
  }
  const absl::string_view digits = name.substr(name.size() - kDigits);
  name.remove_suffix(kDigits);
  if (!absl::ConsumeSuffix(&name, ".")) return "";
  const bool hex = std::all_of(digits.begin(), digits.end(), [](char digit) {
    return std::isxdigit(static_cast<unsigned char>(digit)) != 0;
  });
  return hex ? name : "";
}

// Whether the file has a name still. A cleaner that was there between the file
// and its lock has taken it away.
bool HasName(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

// A new file under a name of its own, locked; -1 and errno when there is none.
// Where a file system has no locks, nobody can take one and remove the file.
int CreateLocked(const std::string& path, std::string& temporary) {
  while (true) {
    temporary = DrawTemporaryName(path);
    const int descriptor =
        open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) return descriptor;
    flock(descriptor, LOCK_EX);
    if (HasName(descriptor)) return descriptor;
    close(descriptor);
  }
}

// The error that `errno` holds.
absl::Status LastError(absl::string_view path) {
  const absl::Status error =
      FileError(path, errno, absl::StatusCode::kUnavailable);
  const absl::StatusCode code = absl::IsResourceExhausted(error)
                                    ? absl::StatusCode::kResourceExhausted
                                    : absl::StatusCode::kUnavailable;
  return absl::Status(code, absl::StrCat("cannot write ", error.message()));
}

// What is to be replaced: where a link leads to.
absl::StatusOr<std::string> TargetOf(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) &&
      !std::filesystem::is_regular_file(status)) {
    return InvalidArgument("cannot write file \"", path,
                           "\": there is something that is no regular file");
  }
  if (!std::filesystem::is_symlink(path, error)) return path;
  const auto target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

void RemoveUnlessHeld(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(path.c_str());
  close(descriptor);
}

}  // namespace

void RemoveAbandonedFiles(
    const std::string& folder,
    const std::function<bool(absl::string_view name)>& is_ours) {
  std::error_code error;
  std::filesystem::directory_iterator files(folder, error), end;
  while (!error && files != end) {
    const std::string name = files->path().filename().string();
    const absl::string_view own = OwnName(name);
    if (!own.empty() && is_ours(own)) RemoveUnlessHeld(files->path().string());
    files.increment(error);
  }
}

absl::StatusOr<std::unique_ptr<AtomicFile>> AtomicFile::Create(
    const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    return InvalidArgument("a file name holds a zero byte");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::string target, TargetOf(path));
  const std::filesystem::path own(target);
  const std::string folder = own.parent_path().string();
  const std::string name = own.filename().string();
  RemoveAbandonedFiles(
      folder.empty() ? "." : folder,
      [&name](absl::string_view other) { return other == name; });
  std::string temporary;
  const int descriptor = CreateLocked(target, temporary);
  if (descriptor < 0) return LastError(path);
  return std::unique_ptr<AtomicFile>(
      new AtomicFile(target, std::move(temporary), descriptor));
}

AtomicFile::AtomicFile(std::string path, std::string temporary, int descriptor)
    : path_(std::move(path)),
      temporary_(std::move(temporary)),
      descriptor_(descriptor) {}

AtomicFile::~AtomicFile() {
  if (!committed_) unlink(temporary_.c_str());
  close(descriptor_);
}

absl::Status AtomicFile::Write(absl::string_view bytes) {
  DOVETAIL_RETURN_IF_ERROR(status_);
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return status_ = LastError(path_);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status AtomicFile::Append(absl::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    DOVETAIL_RETURN_IF_ERROR(Flush());
  }
  if (bytes.size() > kBufferBytes) return Write(bytes);
  buffer_.append(bytes.data(), bytes.size());
  return absl::OkStatus();
}

absl::Status AtomicFile::Flush() {
  DOVETAIL_RETURN_IF_ERROR(Write(buffer_));
  buffer_.clear();
  return absl::OkStatus();
}

absl::Status AtomicFile::Commit(Durability durability) {
  DOVETAIL_RETURN_IF_ERROR(Flush());
  // Some file systems tell only now that there was no room.
  if (durability == Durability::kOnDisk && fsync(descriptor_) != 0) {
    return LastError(path_);
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    return LastError(path_);
  committed_ = true;
  return absl::OkStatus();
}

}  // namespace dovetail
