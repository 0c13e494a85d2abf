#include "dovetail/backends/gpu/codegen/lane_model.h"

namespace dovetail::gpu {

LaneModel LaneModelOf(const DeviceTraits& device) {
  if (device.is_cpu) return {};
  LaneModel model;
  // Drivers of GPUs with vector registers prefer vectors, and say so.
  model.lanes = device.vector_width >= 4 ? 4 : 1;
  model.has_local_memory = true;
  return model;
}

}  // namespace dovetail::gpu
