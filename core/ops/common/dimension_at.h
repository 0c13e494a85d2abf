// One extent of an input's shape.
#ifndef DOVETAIL_CORE_OPS_COMMON_DIMENSION_AT_H_
#define DOVETAIL_CORE_OPS_COMMON_DIMENSION_AT_H_

#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

// Extent `axis` of input `input`, whose rank, if known, has been checked;
// unknown when the rank is.
inline Dimension DimensionAt(const InferContext& context, int input,
                             int axis) {
  const PartialShape& shape = context.shape(input);
  return shape.rank_known() ? shape[axis] : Dimension::Unknown();
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_COMMON_DIMENSION_AT_H_
