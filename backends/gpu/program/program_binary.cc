#include "dovetail/backends/gpu/program/program_binary.h"

#include <utility>

#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"

namespace dovetail::gpu {
namespace {

// "DVTLOPCL" as a number.
constexpr uint64_t kMagic = 0x4c43504f4c545644;

absl::Status ReadPlaces(ByteReader& reader, ProgramBinary& binary) {
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count(16));
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t program, reader.Number());
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view name, reader.Text());
    binary.places.push_back({static_cast<int>(program), std::string(name)});
  }
  return absl::OkStatus();
}

absl::Status ReadPrograms(ByteReader& reader, ProgramBinary& binary) {
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count(8));
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view code, reader.Text());
    binary.programs.emplace_back(code);
  }
  for (const JoinedSource::Place& place : binary.places) {
    if (place.program < 0 || place.program >= static_cast<int>(count)) {
      return DataLoss("kernel '", place.name, "' is in program ", place.program,
                      " of ", count);
    }
  }
  return reader.Finish();
}

}  // namespace

std::string WriteProgramBinary(const ProgramBinary& binary) {
  ByteWriter content;
  content.Text(binary.device);
  content.Text(binary.key);
  content.Number(binary.places.size());
  for (const JoinedSource::Place& place : binary.places) {
    content.Number(static_cast<uint64_t>(place.program));
    content.Text(place.name);
  }
  content.Number(binary.programs.size());
  for (const std::string& code : binary.programs) content.Text(code);

  ByteWriter whole;
  whole.Number(kMagic);
  whole.Number(kBinaryFormatVersion);
  whole.Number(Checksum(content.bytes()));
  whole.Raw(content.bytes());
  return whole.Take();
}

absl::StatusOr<ProgramBinary> ParseProgramBinary(absl::string_view bytes) {
  ByteReader frame(bytes);
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t magic, frame.Number());
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t version, frame.Number());
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t checksum, frame.Number());
  const absl::string_view content = bytes.substr(3 * sizeof(uint64_t));
  if (magic != kMagic) return DataLoss("these are no binaries of programs");
  if (version != kBinaryFormatVersion) {
    return FailedPrecondition("binaries of programs of format ", version,
                              "; this build reads ", kBinaryFormatVersion);
  }
  if (checksum != Checksum(content)) {
    return DataLoss("the binary of a program is damaged");
  }
  ByteReader reader(content);
  ProgramBinary binary;
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view device, reader.Text());
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view key, reader.Text());
  binary.device = std::string(device);
  binary.key = std::string(key);
  DOVETAIL_RETURN_IF_ERROR(ReadPlaces(reader, binary));
  DOVETAIL_RETURN_IF_ERROR(ReadPrograms(reader, binary));
  return binary;
}

}  // namespace dovetail::gpu
