#include "dovetail/core/runtime/blob_header.h"

#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/hashing.h"
#include "dovetail/core/plugin/build_id.h"

namespace dovetail {
namespace {

constexpr absl::string_view kMagic = "DVTLBLOB";
// Grows when the container or what any device puts in it changes.
constexpr int kVersion = 1;
constexpr size_t kNumberBytes = 8;

// Numbers are 8 bytes, the lowest first, on any machine.
void AppendNumber(uint64_t number, std::string& out) {
  for (size_t i = 0; i < kNumberBytes; ++i) {
    out.push_back(static_cast<char>(number >> (8 * i) & 0xff));
  }
}

void AppendText(absl::string_view text, std::string& out) {
  AppendNumber(text.size(), out);
  out.append(text.data(), text.size());
}

uint64_t NumberAt(absl::string_view bytes) {
  uint64_t number = 0;
  for (size_t i = 0; i < kNumberBytes; ++i) {
    number |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i]))
              << (8 * i);
  }
  return number;
}

uint64_t Checksum(absl::string_view bytes) {
  StableHash hash;
  hash.AddBytes(bytes.data(), bytes.size());
  return hash.value();
}

absl::Status Damaged(absl::string_view how) {
  return DataLoss("the exported model is damaged: ", how);
}

// Takes pieces off the front.
class Cursor {
 public:
  explicit Cursor(absl::string_view bytes) : bytes_(bytes) {}

  absl::StatusOr<uint64_t> Number() {
    if (bytes_.size() < kNumberBytes) return Damaged("it is cut short");
    const uint64_t number = NumberAt(bytes_);
    bytes_.remove_prefix(kNumberBytes);
    return number;
  }
  absl::StatusOr<absl::string_view> Text() {
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t size, Number());
    if (size > bytes_.size()) return Damaged("it is cut short");
    const absl::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return text;
  }
  absl::Status Take(std::string& text) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view view, Text());
    text = std::string(view);
    return absl::OkStatus();
  }

 private:
  absl::string_view bytes_;
};

absl::StatusOr<Blob> ReadFields(absl::string_view bytes) {
  Cursor cursor(bytes);
  Blob blob;
  BlobHeader& header = blob.header;
  for (std::string* field : {&header.build, &header.device,
                             &header.architecture, &header.model_name}) {
    DOVETAIL_RETURN_IF_ERROR(cursor.Take(*field));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t count, cursor.Number());
  for (uint64_t i = 0; i < count; ++i) {
    std::string key, value;
    DOVETAIL_RETURN_IF_ERROR(cursor.Take(key));
    DOVETAIL_RETURN_IF_ERROR(cursor.Take(value));
    header.properties[key] = value;
  }
  DOVETAIL_ASSIGN_OR_RETURN(blob.payload, cursor.Text());
  return blob;
}

}  // namespace

std::string CurrentBuild() {
  return absl::StrCat("exports version ", kVersion, ", ", DOVETAIL_BUILD_ID);
}

std::string WriteBlob(const BlobHeader& header, absl::string_view payload) {
  std::string bytes(kMagic);
  AppendText(header.build, bytes);
  AppendText(header.device, bytes);
  AppendText(header.architecture, bytes);
  AppendText(header.model_name, bytes);
  AppendNumber(header.properties.size(), bytes);
  for (const auto& [key, value] : header.properties) {
    AppendText(key, bytes);
    AppendText(value, bytes);
  }
  AppendText(payload, bytes);
  AppendNumber(Checksum(bytes), bytes);
  return bytes;
}

absl::StatusOr<Blob> ReadBlob(absl::string_view bytes) {
  if (!absl::StartsWith(bytes, kMagic)) {
    return InvalidArgument("this is no exported model: it does not begin with ",
                           kMagic);
  }
  if (bytes.size() < kMagic.size() + kNumberBytes) {
    return Damaged("it is cut short");
  }
  const absl::string_view body = bytes.substr(0, bytes.size() - kNumberBytes);
  if (NumberAt(bytes.substr(body.size())) != Checksum(body)) {
    return Damaged("its checksum is another one");
  }
  return ReadFields(body.substr(kMagic.size()));
}

absl::Status CheckBlobFits(const BlobHeader& header, absl::string_view device,
                           absl::string_view architecture) {
  if (header.device != device) {
    return FailedPrecondition("the model was exported for device ",
                              header.device, ", not for ", device);
  }
  if (header.build != CurrentBuild()) {
    return FailedPrecondition("the model was exported by '", header.build,
                              "', this program is '", CurrentBuild(), "'");
  }
  if (header.architecture != architecture) {
    return FailedPrecondition("the model was exported for a ", header.device,
                              " of architecture '", header.architecture,
                              "', this one is '", architecture, "'");
  }
  return absl::OkStatus();
}

}  // namespace dovetail
