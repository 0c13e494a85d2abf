#include "dovetail/core/base/bytes.h"

#include <cstring>

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

constexpr size_t kNumberBytes = 8;

absl::Status CutShort() { return DataLoss("the data is cut short"); }

}  // namespace

void ByteWriter::Number(uint64_t value) {
  for (size_t i = 0; i < kNumberBytes; ++i) {
    bytes_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }
}

void ByteWriter::Real(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  Number(bits);
}

void ByteWriter::Text(absl::string_view text) {
  Number(text.size());
  Raw(text);
}

absl::StatusOr<uint8_t> ByteReader::Byte() {
  if (bytes_.empty()) return CutShort();
  const uint8_t value = static_cast<uint8_t>(bytes_[0]);
  bytes_.remove_prefix(1);
  return value;
}

absl::StatusOr<uint64_t> ByteReader::Number() {
  if (bytes_.size() < kNumberBytes) return CutShort();
  uint64_t value = 0;
  for (size_t i = 0; i < kNumberBytes; ++i) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes_[i])) << (8 * i);
  }
  bytes_.remove_prefix(kNumberBytes);
  return value;
}

absl::StatusOr<int64_t> ByteReader::Signed() {
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t value, Number());
  return static_cast<int64_t>(value);
}

absl::StatusOr<double> ByteReader::Real() {
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t bits, Number());
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

absl::StatusOr<absl::string_view> ByteReader::Text() {
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t size, Number());
  if (size > bytes_.size()) return CutShort();
  const absl::string_view text = bytes_.substr(0, size);
  bytes_.remove_prefix(size);
  return text;
}

absl::StatusOr<size_t> ByteReader::Count(size_t least_bytes) {
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t count, Number());
  if (count > bytes_.size() / least_bytes) return CutShort();
  return static_cast<size_t>(count);
}

absl::Status ByteReader::Finish() const {
  if (bytes_.empty()) return absl::OkStatus();
  return DataLoss("there are ", bytes_.size(), " bytes too many");
}

}  // namespace dovetail
