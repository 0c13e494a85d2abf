// What an Interpolate node computes, as taps.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_RESIZE_TAPS_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_RESIZE_TAPS_H_

#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"
#include "dovetail/core/reference/image/resize/taps.h"

namespace dovetail {

// The taps of all axes, whose extents are static; nothing when scales or axes
// are computed.
std::optional<std::vector<AxisTaps>> ResizeTapsOf(const Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_RESIZE_TAPS_H_
