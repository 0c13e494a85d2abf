// What all poolings of regions [R, 5] do besides pooling.
#ifndef DOVETAIL_CORE_REFERENCE_ROI_POOL_REGIONS_H_
#define DOVETAIL_CORE_REFERENCE_ROI_POOL_REGIONS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Writes the f32 elements `out` of one region, which are 0 so far. roi: its 5
// numbers.
using PoolRegion = absl::FunctionRef<void(int64_t region, int64_t image,
                                          const float* roi, float* out)>;

// Calls `pool` for each region of input 1, from several threads, up to the end
// of the list (see ImagesOfRois); what would be of regions behind it is 0.
// Input 0 has the images' features. cost: of an element, as in ParallelLoop.
absl::Status PoolRegions(KernelContext& context, int64_t cost, PoolRegion pool);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ROI_POOL_REGIONS_H_
