// Ranges, scales and shifts that apply to data: they broadcast to its shape.
#ifndef DOVETAIL_CORE_OPS_QUANTIZATION_BROADCAST_TO_DATA_H_
#define DOVETAIL_CORE_OPS_QUANTIZATION_BROADCAST_TO_DATA_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

// A shape, of a range for example, without leading axes of extent 1 that data
// of that rank has not: [1,1,1,1] applies to a vector, too.
PartialShape WithoutExtraAxes(const PartialShape& shape, int rank);

// All inputs are of one floating-point type, inputs 1 and on broadcast to the
// shape of input 0, and output 0 is like input 0.
absl::Status InferBroadcastToData(InferContext& context, AutoBroadcast mode);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_QUANTIZATION_BROADCAST_TO_DATA_H_
