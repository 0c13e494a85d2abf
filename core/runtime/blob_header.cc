#include "dovetail/core/runtime/blob_header.h"

#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/hashing.h"
#include "dovetail/core/plugin/build_id.h"
#include "dovetail/core/runtime/core_hash.h"

namespace dovetail {
namespace {

constexpr absl::string_view kMagic = "DVTLBLOB";
constexpr size_t kChecksumBytes = 8;

uint64_t Checksum(absl::string_view bytes) {
  StableHash hash;
  hash.AddBytes(bytes.data(), bytes.size());
  return hash.value();
}

absl::Status Take(ByteReader& reader, std::string& text) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view view, reader.Text());
  text = std::string(view);
  return absl::OkStatus();
}

// What stands between the magic word and the checksum.
absl::StatusOr<Blob> ReadFields(ByteReader& reader) {
  Blob blob;
  BlobHeader& header = blob.header;
  for (std::string* field : {&header.build, &header.device,
                             &header.architecture, &header.model_name}) {
    DOVETAIL_RETURN_IF_ERROR(Take(reader, *field));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  for (size_t i = 0; i < count; ++i) {
    std::string key, value;
    DOVETAIL_RETURN_IF_ERROR(Take(reader, key));
    DOVETAIL_RETURN_IF_ERROR(Take(reader, value));
    header.properties[key] = value;
  }
  DOVETAIL_ASSIGN_OR_RETURN(blob.payload, reader.Text());
  DOVETAIL_RETURN_IF_ERROR(reader.Finish());
  return blob;
}

}  // namespace

std::string CurrentBuild() {
  return absl::StrCat("core ", DOVETAIL_CORE_HASH, ", headers ", AbiHash(),
                      ", ", Toolchain());
}

std::string WriteBlob(const BlobHeader& header, absl::string_view payload) {
  ByteWriter writer;
  writer.Raw(kMagic);
  writer.Text(header.build);
  writer.Text(header.device);
  writer.Text(header.architecture);
  writer.Text(header.model_name);
  writer.Number(header.properties.size());
  for (const auto& [key, value] : header.properties) {
    writer.Text(key);
    writer.Text(value);
  }
  writer.Text(payload);
  writer.Number(Checksum(writer.bytes()));
  return writer.Take();
}

absl::StatusOr<Blob> ReadBlob(absl::string_view bytes) {
  if (!absl::StartsWith(bytes, kMagic)) {
    return InvalidArgument("this is no exported model: it does not begin with ",
                           kMagic);
  }
  constexpr absl::string_view kDamaged = "the exported model is damaged";
  if (bytes.size() < kMagic.size() + kChecksumBytes) {
    return DataLoss(kDamaged, ": it is cut short");
  }
  const absl::string_view body = bytes.substr(0, bytes.size() - kChecksumBytes);
  const auto checksum = ByteReader(bytes.substr(body.size())).Number();
  if (!checksum.ok() || *checksum != Checksum(body)) {
    return DataLoss(kDamaged, ": its checksum is another one");
  }
  ByteReader reader(body.substr(kMagic.size()));
  absl::StatusOr<Blob> blob = ReadFields(reader);
  return blob.ok() ? blob : Annotate(blob.status(), kDamaged);
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
