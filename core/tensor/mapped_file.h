// A file as read-only memory.
#ifndef DOVETAIL_CORE_TENSOR_MAPPED_FILE_H_
#define DOVETAIL_CORE_TENSOR_MAPPED_FILE_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace dovetail {

// Pages are read when they are first touched and shared with other processes.
// A file that is shortened while it is mapped makes reading beyond its new end
// a fatal signal, as with every mapping: replace files, don't rewrite them.
class MappedFile {
 public:
  // kNotFound when there is no such file, kInvalidArgument for what is no
  // regular file, kUnavailable when it cannot be read; each names the path.
  static absl::StatusOr<std::shared_ptr<const MappedFile>> Open(
      const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Aligned to a page; not null, also for an empty file.
  const void* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  MappedFile(const void* data, size_t size) : data_(data), size_(size) {}
  const void* data_;
  size_t size_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_MAPPED_FILE_H_
