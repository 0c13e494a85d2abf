// Format of a container, front to back; numbers are 8 bytes, the lowest first:
//
//   64 bytes    kMagic, kFormatVersion, zeros
//   sections    each at a multiple of 64 bytes, zeros between them; several
//               may be the same bytes
//   table       the header's texts, and of each section its name, place and
//               the checksum of each kChunkBytes of it, or the file that it
//               refers to
//   64 bytes    where the table is, its checksum, the size of the whole,
//               kEndMagic, zeros, a checksum of these 56 bytes
//
// The end says how long the whole is, so a file that was cut is known by it.
// Beside the zeros between sections no byte can change without being noticed.
#ifndef DOVETAIL_CORE_BLOB_BLOB_FORMAT_H_
#define DOVETAIL_CORE_BLOB_BLOB_FORMAT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/memory/mapped_file.h"

namespace dovetail::blob {

constexpr absl::string_view kMagic = "DVTLBLOB";
constexpr absl::string_view kEndMagic = "BOLBLTVD";
// Grows when any of this changes.
constexpr uint64_t kFormatVersion = 2;
constexpr uint64_t kAlignment = 64;
constexpr uint64_t kFrameBytes = 64;  // of the beginning and of the end
constexpr uint64_t kChunkBytes = 1 << 20;

constexpr uint64_t AlignUp(uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}
constexpr uint64_t ChunksOf(uint64_t size) {
  return size / kChunkBytes + (size % kChunkBytes != 0);
}

struct SectionEntry {
  bool is_reference = false;
  uint64_t offset = 0;  // in the container
  uint64_t size = 0;
  std::vector<uint64_t> checksums;  // of the chunks
  FileRange reference;
};

struct Table {
  std::map<std::string, std::string, std::less<>> headers;
  std::map<std::string, SectionEntry, std::less<>> sections;
};

// The first 64 bytes.
std::string WriteBegin();

// The table, which begins at `offset`, and what stands behind it.
std::string WriteEnd(const Table& table, uint64_t offset);

// The table of a whole container. kInvalidArgument, kFailedPrecondition and
// kDataLoss as of BlobReader::Open; all that the table says of places in the
// container holds.
absl::StatusOr<Table> ReadTable(absl::string_view bytes);

}  // namespace dovetail::blob

#endif  // DOVETAIL_CORE_BLOB_BLOB_FORMAT_H_
