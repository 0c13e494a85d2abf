// ShuffleChannels, DepthToSpace, SpaceToDepth, SpaceToBatch and BatchToSpace:
// axes split in two, put in another order and joined again.
#ifndef DOVETAIL_CORE_REFERENCE_MOVEMENT_LAYOUT_BLOCKS_H_
#define DOVETAIL_CORE_REFERENCE_MOVEMENT_LAYOUT_BLOCKS_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status ShuffleChannelsKernel(KernelContext& context);
absl::Status DepthToSpaceKernel(KernelContext& context);
absl::Status SpaceToDepthKernel(KernelContext& context);
absl::Status SpaceToBatchKernel(KernelContext& context);
absl::Status BatchToSpaceKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_MOVEMENT_LAYOUT_BLOCKS_H_
