// A file's bytes as read-only memory, paged in as they are read: weights, so
// that models share them and only what is used gets loaded.
#ifndef DOVETAIL_CORE_TENSOR_MEMORY_MAPPED_FILE_H_
#define DOVETAIL_CORE_TENSOR_MEMORY_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "dovetail/core/base/files/file_identity.h"

namespace dovetail {

// Bytes of a file, and what tells whether it is still the file that it was.
struct FileRange {
  FileIdentity file;
  uint64_t offset = 0;  // in bytes
  uint64_t size = 0;
};

// The mapping lasts as long as the object; Tensor::Share takes the pointer as
// the owner. The file must not be truncated meanwhile: reading what is gone
// from it kills the process, as with any mapped file.
class MappedFile {
 public:
  // kNotFound when there is no such file, kInvalidArgument when it is no
  // regular file, kPermissionDenied when it may not be read. An empty file is
  // a mapping of no bytes.
  static absl::StatusOr<std::shared_ptr<const MappedFile>> Open(
      const std::string& path);

  // The same bytes in memory of the process's own, read once as a whole: what
  // happens to the file then does not matter. To the functions below they are
  // not those of a mapped file. kDataLoss when the file shrinks meanwhile.
  static absl::StatusOr<std::shared_ptr<const MappedFile>> Read(
      const std::string& path);

  // The system may take back the memory of these bytes, which will hardly be
  // read again; they stay what they are, and reading them brings them back from
  // the file. Does nothing for bytes that are not those of a mapped file, so
  // that it can be called for any tensor. Thread-safe.
  static void ForgetPages(const void* data, size_t size);

  // The system reads these bytes from the file now, where they are not in memory
  // yet, so that who reads them later does not wait. Does nothing for bytes that
  // are not those of a mapped file, which has to stay meanwhile. Thread-safe.
  static void FetchPages(const void* data, size_t size);

  // As long as the result lives, ForgetPages leaves alone what has some of these
  // bytes, which are read again and again. Null for bytes that are not those of
  // a mapped file. Thread-safe.
  static std::shared_ptr<const void> KeepPages(const void* data, size_t size);

  // Which bytes of which file these are; nothing for bytes that are not those
  // of a mapped file. The file is told as it was when it was mapped.
  // Thread-safe.
  static std::optional<FileRange> RangeOf(const void* data, size_t size);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Aligned to a page. Not null, even when the file is empty.
  const void* data() const { return data_; }
  size_t size() const { return size_; }
  // As it was when it was mapped.
  const FileIdentity& identity() const { return identity_; }

 private:
  MappedFile(const void* data, FileIdentity identity)
      : data_(data), size_(identity.size), identity_(std::move(identity)) {}

  const void* data_;
  size_t size_;
  FileIdentity identity_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_MEMORY_MAPPED_FILE_H_
