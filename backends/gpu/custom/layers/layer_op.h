// Operations that stand for those of other programs' extensions: of any name,
// with the outputs that an attribute says, and nothing that computes them.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_LAYERS_LAYER_OP_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_LAYERS_LAYER_OP_H_

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail::gpu {

// The core's operation, or one of these where the core has none: version 0.
// Attributes: `outputs`, of each type and shape ("f32[2,3]"); numbers for
// kernels, `size`, `scale` and `range`. For the text form of models.
const OpInfo* FindLayerOp(absl::string_view type, int version);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_LAYERS_LAYER_OP_H_
