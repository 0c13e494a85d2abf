#include "dovetail/core/reference/indexing/index.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"

namespace dovetail {
namespace {

absl::Status Outside(const KernelContext& context, int input, size_t element,
                     int64_t index, int64_t extent) {
  return context.Error("input ", input, ", the indices, has ", index,
                       " as element ", element, ", but the axis has ", extent,
                       " elements");
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> CheckedIndices(
    const KernelContext& context, int input, int64_t extent, bool from_end) {
  std::vector<int64_t> indices = ToInt64Vector(context.input(input));
  for (size_t i = 0; i < indices.size(); ++i) {
    const int64_t index = indices[i];
    if (index >= extent || index < (from_end ? -extent : 0)) {
      return Outside(context, input, i, index, extent);
    }
    if (index < 0) indices[i] += extent;
  }
  return indices;
}

absl::StatusOr<std::vector<int64_t>> TupleOffsets(const KernelContext& context,
                                                  int input,
                                                  const Shape& shape,
                                                  int first) {
  const std::vector<int64_t> indices = ToInt64Vector(context.input(input));
  const Shape& shape_of_indices = context.input(input).shape();
  const int64_t tuple = shape_of_indices.back();
  const StridedView data = PackedView(shape);
  const int64_t count =
      shape_of_indices.Count(0, shape_of_indices.rank() - 1);
  std::vector<int64_t> offsets(count, 0);
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < tuple; ++j) {
      const int axis = first + static_cast<int>(j);
      const int64_t index = indices[i * tuple + j];
      if (index < -shape[axis] || index >= shape[axis]) {
        return Outside(context, input, i * tuple + j, index, shape[axis]);
      }
      offsets[i] +=
          (index < 0 ? index + shape[axis] : index) * data.strides[axis];
    }
  }
  return offsets;
}

}  // namespace dovetail
