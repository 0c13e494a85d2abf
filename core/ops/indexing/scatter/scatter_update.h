// ScatterUpdate: data with slices along one axis replaced.
#ifndef DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTER_UPDATE_H_
#define DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTER_UPDATE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Inputs: data, indices, updates, axis (one element). The updates have the
// data's shape with the indices' axes in place of `axis`.
absl::Status InferScatterUpdate(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTER_UPDATE_H_
