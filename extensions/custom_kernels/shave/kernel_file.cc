#include "dovetail/extensions/custom_kernels/shave/kernel_file.h"

#include <cstdint>

#include "absl/strings/match.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"

namespace dovetail {
namespace {

constexpr absl::string_view kMark = "DVTLSHAVE\n";
constexpr uint64_t kVersion = 1;

absl::StatusOr<ShaveKernelFile> ReadParts(absl::string_view parts) {
  ByteReader bytes(parts);
  ShaveKernelFile file;
  for (std::string* const part :
       {&file.entry, &file.text, &file.compiler, &file.binary}) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view text, bytes.Text());
    *part = std::string(text);
  }
  DOVETAIL_RETURN_IF_ERROR(bytes.Finish());
  return file;
}

}  // namespace

std::string WriteShaveKernelFile(const ShaveKernelFile& file) {
  ByteWriter parts;
  for (const std::string* const part :
       {&file.entry, &file.text, &file.compiler, &file.binary}) {
    parts.Text(*part);
  }
  ByteWriter bytes;
  bytes.Raw(kMark);
  bytes.Number(kVersion);
  bytes.Text(parts.bytes());
  bytes.Text(HexHash128(parts.bytes()));
  return bytes.Take();
}

bool IsShaveKernelFile(absl::string_view bytes) {
  return absl::StartsWith(bytes, kMark);
}

absl::StatusOr<ShaveKernelFile> ReadShaveKernelFile(absl::string_view bytes) {
  if (!IsShaveKernelFile(bytes)) {
    return InvalidArgument("these bytes are no compiled kernel");
  }
  ByteReader reader(bytes.substr(kMark.size()));
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t version, reader.Number());
  if (version != kVersion) {
    return FailedPrecondition("the compiled kernel is of version ", version,
                              " of the format, and this is version ", kVersion,
                              "; compile it again");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view parts, reader.Text());
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view checksum, reader.Text());
  DOVETAIL_RETURN_IF_ERROR(reader.Finish());
  if (HexHash128(parts) != checksum) {
    return DataLoss("the compiled kernel is damaged: its checksum is another");
  }
  return ReadParts(parts);
}

}  // namespace dovetail
