// Which launches of a plan become one launch of a persistent kernel.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_JOINED_LAUNCHES_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_JOINED_LAUNCHES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/backends/gpu/codegen/persistent_kernel.h"
#include "dovetail/backends/gpu/driver/device_traits.h"
#include "dovetail/backends/gpu/program/kernel_source.h"
#include "dovetail/backends/gpu/queue/nd_range.h"

namespace dovetail::gpu {

// Consecutive steps of a plan, two at least, all launches.
struct LaunchGroup {
  size_t first = 0, count = 0;
  // The buffers of the kernel, in order: of each the address of an operand in
  // it, whose offset says nothing; nowhere: the buffer of faults.
  std::vector<Address> buffers;
  LaunchNumbers numbers = {};
};

// The groups of a plan, which have one kernel.
struct JoinedLaunches {
  KernelSource source;
  std::vector<int32_t> table;  // see StepEntry
  std::vector<LaunchGroup> groups;
  NdRange range;           // of each launch
  int64_t state_ints = 0;  // enough for each group

  // The group that begins with, or has, that step; null: none.
  const LaunchGroup* GroupOf(size_t step) const;
};

// No groups where the device is no processor, or where no two launches follow
// each other.
JoinedLaunches JoinLaunches(const Plan& plan, const DeviceTraits& device);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_JOINED_LAUNCHES_H_
