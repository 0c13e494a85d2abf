// Reading a container that a BlobWriter has written: sections are views of the
// mapped file, checked when they are first asked for.
#ifndef DOVETAIL_CORE_BLOB_BLOB_READER_H_
#define DOVETAIL_CORE_BLOB_BLOB_READER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// Read-only bytes, there as long as a copy of `owner` is: what Tensor::Share
// takes.
struct BlobBytes {
  const void* data = nullptr;  // aligned to 64 bytes, but for references
  size_t size = 0;
  std::shared_ptr<const void> owner;

  absl::string_view view() const {
    return {static_cast<const char*>(data), size};
  }
};

// A copy is the same container. All functions may be called from any thread.
class BlobReader {
 public:
  // Maps the file, which must not be truncated meanwhile. kNotFound and
  // kPermissionDenied as MappedFile::Open; kInvalidArgument when it is no
  // container at all, kDataLoss when it is cut short or its table is damaged,
  // kFailedPrecondition when it is of another version of the format.
  static absl::StatusOr<BlobReader> Open(const std::string& path);

  // The same of bytes that `owner` keeps; they are copied where there is none
  // or where they are not aligned to 64 bytes.
  static absl::StatusOr<BlobReader> FromBytes(
      absl::string_view bytes, std::shared_ptr<const void> owner = nullptr);

  // Whether the bytes begin as those of a container do, sound or not.
  static bool IsContainer(absl::string_view bytes);

  // What a nested writer of this prefix has written, under its own names.
  BlobReader Nested(absl::string_view prefix) const;

  // A text of the header, as long as a copy of the reader is there.
  std::optional<absl::string_view> Header(absl::string_view key) const;
  // All of them, by key.
  std::map<std::string, std::string> headers() const;

  bool HasSection(absl::string_view name) const;
  // In the order of their names.
  std::vector<std::string> section_names() const;
  // Bytes, also of one that refers to another file. kNotFound as below.
  absl::StatusOr<uint64_t> SectionSize(absl::string_view name) const;

  // The section's bytes. The first call for it compares the checksum, with a
  // few threads where it is large; later ones cost nothing. kNotFound when
  // there is no such section, kDataLoss when it is damaged.
  //
  // Of a reference the bytes of the other file, which is looked for under the
  // path that was written and beside the container: kNotFound when it is not
  // there, kFailedPrecondition, saying what differs, when its size or its time
  // of change are others. Its bytes have no checksum.
  absl::StatusOr<BlobBytes> Section(absl::string_view name) const;

  // The same bytes without comparing anything, for those who call CheckRange,
  // or see to it (deferred_check.h), before they read what they need of them.
  absl::StatusOr<BlobBytes> UncheckedSection(absl::string_view name) const;
  // Compares the checksums of the section's chunks that have a byte of
  // [offset, offset + size) in them; nothing of a reference. kNotFound,
  // kOutOfRange, kDataLoss.
  absl::Status CheckRange(absl::string_view name, uint64_t offset,
                          uint64_t size) const;

  // Compares every checksum and looks for every file that is referred to; the
  // first error.
  absl::Status Verify() const;

  // Of the container: "" when it is none of a file's, and bytes.
  const std::string& path() const;
  uint64_t size() const;

 private:
  class State;
  BlobReader(std::shared_ptr<State> state, std::string prefix);

  std::shared_ptr<State> state_;
  std::string prefix_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BLOB_BLOB_READER_H_
