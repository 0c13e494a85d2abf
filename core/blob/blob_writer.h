// Writing a container: named sections of bytes and a header of texts, in one
// pass from front to back, so that nothing of it has to be held in memory.
// blob_format.h says how it looks.
#ifndef DOVETAIL_CORE_BLOB_BLOB_WRITER_H_
#define DOVETAIL_CORE_BLOB_BLOB_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/tensor/memory/mapped_file.h"

namespace dovetail {

// What is written has no effect before Finish(): a reader refuses a container
// without its end. After a first error, of the sink or of a call, every call
// answers that error, so that only Finish() needs to be looked at.
//
// Names of sections and keys of the header are any text but an empty one, each
// given once: kInvalidArgument else. One section may be open at a time:
// kFailedPrecondition else. The writer is not thread-safe.
class BlobWriter {
 public:
  // The sink outlives the writer and all that are nested in it.
  explicit BlobWriter(ByteSink* sink);

  // A writer into the same container whose names and keys all begin with
  // "<prefix>/": a part of a virtual device. BlobReader::Nested reads it. It is
  // used like, and instead of, this one; only the first writer finishes.
  BlobWriter Nested(absl::string_view prefix) const;

  // A text that is known without reading any section.
  absl::Status SetHeader(absl::string_view key, absl::string_view value);

  // A section of these bytes. It begins at a multiple of 64 bytes. What
  // another call, also of a nested writer, has had is written once: bytes are
  // the same where their number and the checksums of all chunks are.
  absl::Status AddSection(absl::string_view name, absl::string_view bytes);

  // The same piece by piece.
  absl::Status BeginSection(absl::string_view name);
  absl::Status Append(absl::string_view bytes);
  // The same at the section's next multiple of 64 bytes; answers which: the
  // bytes' offset in the section.
  absl::StatusOr<uint64_t> AppendAligned(absl::string_view bytes);
  absl::Status EndSection();

  // A section whose bytes are those of another file, such as a model's weights,
  // which has to be there, and the same, when it is read.
  absl::Status AddReference(absl::string_view name, const FileRange& range);

  // Writes the end. kFailedPrecondition while a section is open.
  absl::Status Finish();

 private:
  class State;
  BlobWriter(std::shared_ptr<State> state, std::string prefix);

  std::shared_ptr<State> state_;
  std::string prefix_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BLOB_BLOB_WRITER_H_
