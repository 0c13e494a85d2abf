#include "dovetail/core/tensor/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/process_wide.h"

namespace dovetail {
namespace {

// What an empty file's data() points to.
alignas(4096) constexpr char kNoBytes[1] = {};

absl::StatusCode CodeOf(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return absl::StatusCode::kNotFound;
    case EACCES:
    case EPERM:
      return absl::StatusCode::kPermissionDenied;
    case ENOMEM:
    case EMFILE:
    case ENFILE:
      return absl::StatusCode::kResourceExhausted;
    default:
      return absl::StatusCode::kInvalidArgument;
  }
}

// The error that `errno` holds about the file.
absl::Status LastError(const std::string& path) {
  const int error = errno;
  return absl::Status(
      CodeOf(error), absl::StrCat("file \"", path, "\": ",
                                  std::generic_category().message(error)));
}

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

 private:
  int value_;
};

// The mappings that there are in the process, also those that a plugin in a
// shared library has made: where they begin and end.
class Mappings {
 public:
  static Mappings& All() {
    static auto& all = ProcessWide<Mappings>("core/tensor mapped files");
    return all;
  }

  void Add(uintptr_t begin, uintptr_t end) {
    std::lock_guard<std::mutex> lock(mutex_);
    ends_[begin] = end;
  }
  void Remove(uintptr_t begin) {
    std::lock_guard<std::mutex> lock(mutex_);
    ends_.erase(begin);
  }
  // Under the lock, so that the mapping cannot go meanwhile.
  void Forget(uintptr_t begin, uintptr_t end) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto after = ends_.upper_bound(begin);
    if (after == ends_.begin() || end > std::prev(after)->second) return;
    // Whole pages; the file's other bytes in them come back when read.
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    begin -= begin % page;
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }

 private:
  std::mutex mutex_;
  std::map<uintptr_t, uintptr_t> ends_;
};

}  // namespace

void MappedFile::ForgetPages(const void* data, size_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(data);
  if (size > 0) Mappings::All().Forget(begin, begin + size);
}

MappedFile::MappedFile(const void* data, size_t size)
    : data_(data), size_(size) {
  const auto begin = reinterpret_cast<uintptr_t>(data);
  if (size > 0) Mappings::All().Add(begin, begin + size);
}

absl::StatusOr<std::shared_ptr<const MappedFile>> MappedFile::Open(
    const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError("a file name holds a zero byte");
  }
  // Not blocking: opening a pipe would wait for somebody to write to it.
  const Descriptor file(
      open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (file.value() < 0 || fstat(file.value(), &status) != 0) {
    return LastError(path);
  }
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("file \"", path, "\" is no regular file"));
  }
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) {  // which mmap refuses
    return std::shared_ptr<const MappedFile>(new MappedFile(kNoBytes, 0));
  }
  void* data =
      mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value(), 0);
  if (data == MAP_FAILED) return LastError(path);
  return std::shared_ptr<const MappedFile>(new MappedFile(data, size));
}

MappedFile::~MappedFile() {
  if (size_ == 0) return;
  Mappings::All().Remove(reinterpret_cast<uintptr_t>(data_));
  munmap(const_cast<void*>(data_), size_);
}

}  // namespace dovetail
