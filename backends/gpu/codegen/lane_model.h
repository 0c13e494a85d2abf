// The way in which a device wants its work cut: how many elements a work item
// has, and how many work items a group.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_LANE_MODEL_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_LANE_MODEL_H_

#include "dovetail/backends/gpu/driver/device_traits.h"

namespace dovetail::gpu {

struct LaneModel {
  // Floats that a work item computes side by side, as one vector: 16 where a
  // work item is a thread with vectors of its own, as on processors; 1 where
  // the device makes vectors of neighboring work items.
  int lanes = 16;
  // Work items of a group of elementwise kernels; heavy tiles have groups of
  // one item on processors.
  int group = 64;
  // Whether local memory and barriers are fast: on processors they are memory
  // like any other, and loops.
  bool has_local_memory = false;
};

LaneModel LaneModelOf(const DeviceTraits& device);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_LANE_MODEL_H_
