// How many work items a custom kernel has for a node.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_WORK_SIZES_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_WORK_SIZES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail::gpu {

struct WorkSizes {
  // One to three of `global`; as many of `local`, or none: as the driver likes.
  std::vector<int64_t> global, local;
};

// All shapes of the node are static. B, F, Y and X are the first four sizes of
// output 0, or the last four of an input; 1 where there are fewer. A group that
// does not divide its range is left out where the source does not ask which
// group an item is in. kInvalidArgument for others, for sizes below 1 and for
// an input that the node does not have.
absl::StatusOr<WorkSizes> WorkSizesOf(const CustomKernel& kernel,
                                      const Node& node);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_WORK_SIZES_H_
