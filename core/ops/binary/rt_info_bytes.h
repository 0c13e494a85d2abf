// Run-time information as bytes.
#ifndef DOVETAIL_CORE_OPS_BINARY_RT_INFO_BYTES_H_
#define DOVETAIL_CORE_OPS_BINARY_RT_INFO_BYTES_H_

#include "absl/status/status.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/graph/rt_info.h"

namespace dovetail {

// How deep entries may be nested: both functions call themselves once a level.
inline constexpr int kMaxRtInfoDepth = 256;

// kInvalidArgument when it is nested deeper.
absl::Status WriteRtInfo(const RtInfo& info, ByteWriter& writer);
// Into an empty `info`; kDataLoss for other bytes.
absl::Status ReadRtInfo(ByteReader& reader, RtInfo& info);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_BINARY_RT_INFO_BYTES_H_
