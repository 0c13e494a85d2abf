#include "dovetail/core/tensor/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/cleanup/cleanup.h"
#include "dovetail/core/base/status.h"

namespace dovetail {

absl::StatusOr<std::shared_ptr<const MappedFile>> MappedFile::Open(
    const std::string& path) {
  // Without O_NONBLOCK opening a pipe would wait for its writer.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return NotFound("no such file: ", path);
    }
    return Unavailable("cannot open ", path, ": ", std::strerror(errno));
  }
  const absl::Cleanup close_file = [file] { close(file); };
  struct stat info;
  if (fstat(file, &info) != 0) {
    return Unavailable("cannot read ", path, ": ", std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) {
    return InvalidArgument(path, " is not a regular file");
  }
  const auto size = static_cast<size_t>(info.st_size);
  if (size == 0) {
    return std::shared_ptr<const MappedFile>(new MappedFile("", 0));
  }
  const void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (data == MAP_FAILED) {
    return Unavailable("cannot map ", path, ": ", std::strerror(errno));
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(data, size));
}

MappedFile::~MappedFile() {
  if (size_ > 0) munmap(const_cast<void*>(data_), size_);
}

}  // namespace dovetail
