// How many work items a launch has.
#ifndef DOVETAIL_BACKENDS_GPU_QUEUE_ND_RANGE_H_
#define DOVETAIL_BACKENDS_GPU_QUEUE_ND_RANGE_H_

#include <cstddef>

namespace dovetail::gpu {

// Work items in all and in a work group, the fastest axis first. Of axes from
// `dims` on nothing is read.
struct NdRange {
  int dims = 1;
  size_t global[3] = {1, 1, 1};
  size_t local[3] = {0, 0, 0};  // each divides its global; local[0] == 0: the
                                // driver chooses
  bool is_uneven = false;  // they need not divide, on devices that take such
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_QUEUE_ND_RANGE_H_
