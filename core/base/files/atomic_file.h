// Writing a whole file so that nobody ever sees a part of it.
#ifndef DOVETAIL_CORE_BASE_FILES_ATOMIC_FILE_H_
#define DOVETAIL_CORE_BASE_FILES_ATOMIC_FILE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/base/files/byte_sink.h"

namespace dovetail {

// A file under a temporary name beside its own, "<path>.<16 hex digits>.tmp",
// that Commit gives its own name: readers see the old file or the new one.
// Without Commit it is removed. The writer holds a lock on it (flock), so that
// what a killed writer has left is known by nobody's holding it, whatever
// machine or container its process was in.
//
// Errors say the path and the system's reason: kResourceExhausted where the
// disk is full, else kUnavailable. Different files may be written by different
// threads, also of one path: the last to commit wins.
class AtomicFile : public ByteSink {
 public:
  // A link is followed: what it leads to is replaced. kInvalidArgument where
  // there is something else than a file, which a file must not replace.
  // Removes what killed writers of the same path have left, too.
  static absl::StatusOr<std::unique_ptr<AtomicFile>> Create(
      const std::string& path);

  ~AtomicFile() override;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // After a first error this and the next two answer that error.
  absl::Status Append(absl::string_view bytes) override;
  // Makes sure that there was room for all of it, without the name yet: for
  // several files that get their names together.
  absl::Status Flush();
  // kOnDisk waits until the bytes are on the disk before the file gets its
  // name; kInMemory leaves that to the system, for files whose readers notice
  // when a crash of the machine has damaged them.
  enum class Durability { kOnDisk, kInMemory };
  absl::Status Commit(Durability durability = Durability::kOnDisk);

 private:
  AtomicFile(std::string path, std::string temporary, int descriptor);
  absl::Status Write(absl::string_view bytes);

  std::string path_, temporary_;
  int descriptor_;
  std::string buffer_;
  absl::Status status_;  // the first error, which stays
  bool committed_ = false;
};

// Removes the temporary files in a folder that no living writer holds and whose
// own names, without folder, `is_ours` takes.
void RemoveAbandonedFiles(
    const std::string& folder,
    const std::function<bool(absl::string_view name)>& is_ours);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_FILES_ATOMIC_FILE_H_
