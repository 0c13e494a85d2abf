#include "dovetail/core/tensor/memory/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/process_wide.h"

namespace dovetail {
namespace {

// What an empty file's data() points to.
alignas(4096) constexpr char kNoBytes[1] = {};

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
// shared library has made, by where they begin.
class Mappings {
 public:
  static Mappings& All() {
    static auto& all = ProcessWide<Mappings>("core/tensor mapped files");
    return all;
  }

  void Add(uintptr_t begin, const FileIdentity& file) {
    std::lock_guard<std::mutex> lock(mutex_);
    files_[begin] = file;
  }
  void Remove(uintptr_t begin) {
    std::lock_guard<std::mutex> lock(mutex_);
    files_.erase(begin);
  }
  // Under the lock, so that the mapping cannot go meanwhile.
  void Forget(uintptr_t begin, uintptr_t end) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (Find(begin, end) == files_.end() || IsKept(begin, end)) return;
    // Whole pages; the file's other bytes in them come back when read.
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    begin -= begin % page;
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }
  void Keep(uintptr_t begin, uintptr_t end) {
    std::lock_guard<std::mutex> lock(mutex_);
    kept_.emplace(begin, end);
  }
  void Release(uintptr_t begin, uintptr_t end) {
    std::lock_guard<std::mutex> lock(mutex_);
    kept_.erase(kept_.find({begin, end}));
  }
  std::optional<FileRange> RangeOf(uintptr_t begin, uintptr_t end) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto mapping = Find(begin, end);
    if (mapping == files_.end()) return std::nullopt;
    return FileRange{mapping->second, begin - mapping->first, end - begin};
  }

 private:
  using Files = std::map<uintptr_t, FileIdentity>;

  // The mapping that all of the bytes are in, or end().
  Files::const_iterator Find(uintptr_t begin, uintptr_t end) const {
    const auto after = files_.upper_bound(begin);
    if (after == files_.begin()) return files_.end();
    const auto mapping = std::prev(after);
    return end <= mapping->first + mapping->second.size ? mapping
                                                        : files_.end();
  }

  bool IsKept(uintptr_t begin, uintptr_t end) const {
    return std::any_of(kept_.begin(), kept_.end(), [&](const auto& kept) {
      return kept.first < end && begin < kept.second;
    });
  }

  std::mutex mutex_;
  Files files_;
  std::multiset<std::pair<uintptr_t, uintptr_t>> kept_;  // begin, end
};

}  // namespace

void MappedFile::ForgetPages(const void* data, size_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(data);
  if (size > 0) Mappings::All().Forget(begin, begin + size);
}

void MappedFile::FetchPages(const void* data, size_t size) {
#ifdef MADV_POPULATE_READ
  if (!RangeOf(data, size).has_value()) return;
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t first = begin - begin % page;
  madvise(reinterpret_cast<void*>(first), begin + size - first,
          MADV_POPULATE_READ);
#else
  (void)data, (void)size;
#endif
}

std::shared_ptr<const void> MappedFile::KeepPages(const void* data,
                                                  size_t size) {
  if (!RangeOf(data, size).has_value()) return nullptr;
  const auto begin = reinterpret_cast<uintptr_t>(data);
  Mappings::All().Keep(begin, begin + size);
  return std::shared_ptr<const void>(data, [=](const void*) {
    Mappings::All().Release(begin, begin + size);
  });
}

std::optional<FileRange> MappedFile::RangeOf(const void* data, size_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(data);
  if (size == 0) return std::nullopt;
  return Mappings::All().RangeOf(begin, begin + size);
}

namespace {

// A regular file that is open, and what it is.
struct OpenFile {
  Descriptor descriptor;
  FileIdentity identity;
};

absl::StatusOr<std::unique_ptr<OpenFile>> OpenRegular(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError("a file name holds a zero byte");
  }
  // Not blocking: opening a pipe would wait for somebody to write to it.
  std::unique_ptr<OpenFile> file(new OpenFile{
      Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), {}});
  struct stat status;
  if (file->descriptor.value() < 0 ||
      fstat(file->descriptor.value(), &status) != 0) {
    return FileError(path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("file \"", path, "\" is no regular file"));
  }
  file->identity = IdentityOf(path, status);
  return file;
}

absl::Status ReadAll(const OpenFile& file, const std::string& path,
                     char* data) {
  for (size_t done = 0; done < file.identity.size;) {
    const ssize_t count =
        pread(file.descriptor.value(), data + done, file.identity.size - done,
              static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(path, errno);
    if (count == 0) {
      return absl::DataLossError(absl::StrCat(
          "file \"", path, "\" ended at ", done, " of its ", file.identity.size,
          " bytes: it has changed while it was read"));
    }
    done += static_cast<size_t>(count);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const MappedFile>> MappedFile::Open(
    const std::string& path) {
  auto file = OpenRegular(path);
  if (!file.ok()) return file.status();
  FileIdentity& identity = (*file)->identity;
  const void* data = kNoBytes;
  if (identity.size > 0) {  // else mmap refuses
    data = mmap(nullptr, identity.size, PROT_READ, MAP_PRIVATE,
                (*file)->descriptor.value(), 0);
    if (data == MAP_FAILED) return FileError(path, errno);
    Mappings::All().Add(reinterpret_cast<uintptr_t>(data), identity);
  }
  return std::shared_ptr<const MappedFile>(
      new MappedFile(data, std::move(identity)));
}

absl::StatusOr<std::shared_ptr<const MappedFile>> MappedFile::Read(
    const std::string& path) {
  auto file = OpenRegular(path);
  if (!file.ok()) return file.status();
  const size_t size = (*file)->identity.size;
  void* data = const_cast<char*>(kNoBytes);
  if (size > 0) {
    data = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) return FileError(path, errno);
  }
  std::shared_ptr<const MappedFile> read(
      new MappedFile(data, (*file)->identity));
  absl::Status status = ReadAll(**file, path, static_cast<char*>(data));
  if (!status.ok()) return status;
  if (size > 0) mprotect(data, size, PROT_READ);
  return read;
}

MappedFile::~MappedFile() {
  if (size_ == 0) return;
  Mappings::All().Remove(reinterpret_cast<uintptr_t>(data_));
  munmap(const_cast<void*>(data_), size_);
}

}  // namespace dovetail
