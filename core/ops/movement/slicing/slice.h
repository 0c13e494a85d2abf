// Slice: a slice by axes, as ONNX has it.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_SLICING_SLICE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_SLICING_SLICE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// The elements of a tensor of that shape from `start` to before `stop` on each
// of `axes` (empty: the first ones). kInvalidArgument for lists of different
// lengths, an axis that is not there or there twice, and a step of 0.
absl::StatusOr<StridedView> SelectSlices(const Shape& shape,
                                         const std::vector<int64_t>& start,
                                         const std::vector<int64_t>& stop,
                                         const std::vector<int64_t>& step,
                                         const std::vector<int64_t>& axes);

// Inputs: data, start, stop, step, axes (optional).
absl::Status InferSlice(InferContext& context);

// The shape of what start, stop, step and axes select of input 0, where input
// `first` is start and the others follow it.
absl::StatusOr<PartialShape> InferSlicedShape(const InferContext& context,
                                              int first);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_SLICING_SLICE_H_
