// StridedSlice: a slice with masks, as TensorFlow has it.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_SLICING_STRIDED_SLICE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_SLICING_STRIDED_SLICE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// Masks have one number for each element of begin, end and strides; what lacks
// at their end is 0.
struct StridedSliceAttributes : public AttributesOf<StridedSliceAttributes> {
  std::vector<int64_t> begin_mask;        // 1: from the first element on
  std::vector<int64_t> end_mask;          // 1: to the last element
  std::vector<int64_t> new_axis_mask;     // 1: a new axis of extent 1
  std::vector<int64_t> shrink_axis_mask;  // 1: one element; the axis goes
  std::vector<int64_t> ellipsis_mask;     // 1: all axes not mentioned
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("begin_mask", begin_mask);
    visitor.Visit("end_mask", end_mask);
    visitor.Visit("new_axis_mask", new_axis_mask);
    visitor.Visit("shrink_axis_mask", shrink_axis_mask);
    visitor.Visit("ellipsis_mask", ellipsis_mask);
  }
};

// What happens to one axis of the data, or what stands before it.
struct StridedSliceAxis {
  enum class Kind { kWhole, kRange, kIndex, kNew };
  Kind kind;
  int axis;     // of the data; for kNew the axis that it stands before
  int element;  // of begin, end and strides; -1 for kWhole
  bool from_start = false;  // begin is masked
  bool to_end = false;      // end is masked
};

// The axes of the output, those that go included, in order, for data of rank
// `rank` and `count` elements of begin. kInvalidArgument when there are more
// elements than axes, or two ellipses.
absl::StatusOr<std::vector<StridedSliceAxis>> PlanStridedSlice(
    const StridedSliceAttributes& attributes, int rank, int count);

// The elements of a tensor of that shape that the operation selects. `strides`
// may be empty: all 1. kInvalidArgument for a stride of 0, kOutOfRange for an
// index outside of its axis.
absl::StatusOr<StridedView> SelectStridedSlice(
    const StridedSliceAttributes& attributes, const Shape& shape,
    const std::vector<int64_t>& begin, const std::vector<int64_t>& end,
    const std::vector<int64_t>& strides);

// Inputs: data, begin, end, strides (optional).
absl::Status InferStridedSlice(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_SLICING_STRIDED_SLICE_H_
