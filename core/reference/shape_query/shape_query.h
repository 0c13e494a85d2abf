// ShapeOf, Range, Broadcast, Tile and Eye.
#ifndef DOVETAIL_CORE_REFERENCE_SHAPE_QUERY_SHAPE_QUERY_H_
#define DOVETAIL_CORE_REFERENCE_SHAPE_QUERY_SHAPE_QUERY_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status ShapeOfKernel(KernelContext& context);
absl::Status RangeKernel(KernelContext& context);
absl::Status BroadcastKernel(KernelContext& context);
absl::Status TileKernel(KernelContext& context);
absl::Status EyeKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_SHAPE_QUERY_SHAPE_QUERY_H_
