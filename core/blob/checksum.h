// Hashes of bytes that tell damage and tell keys apart: XXH3, as fast as memory
// is read. Nothing for protection from somebody who means harm.
#ifndef DOVETAIL_CORE_BLOB_CHECKSUM_H_
#define DOVETAIL_CORE_BLOB_CHECKSUM_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"

namespace dovetail {

// Of the bytes; the same on every machine.
uint64_t Checksum(absl::string_view bytes);

// 32 hexadecimal digits, for names of files: two texts of one name are not to
// be met with.
std::string HexHash128(absl::string_view text);

// The same as Checksum, of bytes that come piece by piece.
class RunningChecksum {
 public:
  RunningChecksum();
  ~RunningChecksum();
  RunningChecksum(const RunningChecksum&) = delete;
  RunningChecksum& operator=(const RunningChecksum&) = delete;

  void Add(absl::string_view bytes);
  // Of all since the last call, or since the beginning.
  uint64_t Take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BLOB_CHECKSUM_H_
