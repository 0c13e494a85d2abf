// SliceScatter: data with a slice of it replaced.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_SLICING_SLICE_SCATTER_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_SLICING_SLICE_SCATTER_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Inputs: data, updates of the slice's shape, start, stop, step, axes
// (optional).
absl::Status InferSliceScatter(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_SLICING_SLICE_SCATTER_H_
