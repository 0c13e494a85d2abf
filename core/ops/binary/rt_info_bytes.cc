#include "dovetail/core/ops/binary/rt_info_bytes.h"

#include <string>

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

absl::Status WriteAt(const RtInfo& info, int depth, ByteWriter& writer) {
  if (depth > kMaxRtInfoDepth) {
    return InvalidArgument("rt_info is nested over ", kMaxRtInfoDepth, " deep");
  }
  writer.Text(info.value);
  writer.Number(info.children.size());
  for (const auto& [name, child] : info.children) {
    writer.Text(name);
    DOVETAIL_RETURN_IF_ERROR(WriteAt(child, depth + 1, writer));
  }
  return absl::OkStatus();
}

absl::Status ReadAt(ByteReader& reader, int depth, RtInfo& info) {
  if (depth > kMaxRtInfoDepth) {
    return DataLoss("rt_info is nested over ", kMaxRtInfoDepth, " deep");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view value, reader.Text());
  info.value = std::string(value);
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view name, reader.Text());
    DOVETAIL_RETURN_IF_ERROR(
        ReadAt(reader, depth + 1, info.children[std::string(name)]));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteRtInfo(const RtInfo& info, ByteWriter& writer) {
  return WriteAt(info, 0, writer);
}

absl::Status ReadRtInfo(ByteReader& reader, RtInfo& info) {
  return ReadAt(reader, 0, info);
}

}  // namespace dovetail
