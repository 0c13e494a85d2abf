// From a user's model to the one that the VPU runs.
#ifndef DOVETAIL_BACKENDS_VPU_LOWERING_H_
#define DOVETAIL_BACKENDS_VPU_LOWERING_H_

#include "absl/status/status.h"
#include "dovetail/backends/vpu/custom/custom_layers.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/properties/config.h"

namespace dovetail::vpu {

// Floats become f16, but at inputs and outputs; then only passes that keep the
// meaning, so that layers are those of the file.
absl::Status LowerForVpu(Model& model, const Config& config,
                         const CustomLayers& custom);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_LOWERING_H_
