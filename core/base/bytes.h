// Numbers and texts as a row of bytes, for files and memory that this program
// reads again.
#ifndef DOVETAIL_CORE_BASE_BYTES_H_
#define DOVETAIL_CORE_BASE_BYTES_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// Numbers are 8 bytes, the lowest first, on any machine; a text is its length
// and its bytes.
class ByteWriter {
 public:
  void Byte(uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void Number(uint64_t value);
  void Signed(int64_t value) { Number(static_cast<uint64_t>(value)); }
  void Real(double value);  // by its bits
  void Text(absl::string_view text);
  void Raw(absl::string_view bytes) {
    bytes_.append(bytes.data(), bytes.size());
  }

  const std::string& bytes() const { return bytes_; }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Takes apart what a ByteWriter has made, from the front. The bytes have to
// outlive the reader and the views that it gives. Every function answers
// kDataLoss when there are not enough bytes left.
class ByteReader {
 public:
  explicit ByteReader(absl::string_view bytes) : bytes_(bytes) {}

  absl::StatusOr<uint8_t> Byte();
  absl::StatusOr<uint64_t> Number();
  absl::StatusOr<int64_t> Signed();
  absl::StatusOr<double> Real();
  absl::StatusOr<absl::string_view> Text();
  // A number of things that take at least `least_bytes` each and follow.
  absl::StatusOr<size_t> Count(size_t least_bytes = 1);
  // kDataLoss unless all has been taken.
  absl::Status Finish() const;

 private:
  absl::string_view bytes_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_BYTES_H_
