#include "dovetail/core/reference/shape_query/shape_query.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/shape_query/broadcast.h"
#include "dovetail/core/ops/shape_query/tile.h"
#include "dovetail/core/reference/common/copy_view.h"

namespace dovetail {

absl::Status ShapeOfKernel(KernelContext& context) {
  const Shape& shape = context.input(0).shape();
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int64_t extent = shape[axis];
    if (context.output(0).type() == ElementType::kI64) {
      context.output(0).mutable_data<int64_t>()[axis] = extent;
    } else if (extent <= INT32_MAX) {
      context.output(0).mutable_data<int32_t>()[axis] =
          static_cast<int32_t>(extent);
    } else {
      return context.Error("extent ", extent, " on axis ", axis,
                           " does not fit output_type i32");
    }
  }
  return absl::OkStatus();
}

absl::Status BroadcastKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  const Shape& target = context.output(0).shape();
  const BroadcastMode mode = context.attributes<BroadcastAttributes>().mode;
  std::vector<int> axes;
  if (mode == BroadcastMode::kExplicit) {
    for (int64_t axis : ToInt64Vector(context.input(2))) {
      DOVETAIL_ASSIGN_OR_RETURN(const int checked,
                                NormalizeAxis(axis, target.rank()));
      axes.push_back(checked);
    }
  } else {
    const int first =
        mode == BroadcastMode::kPdpd ? 0 : target.rank() - data.rank();
    axes = ConsecutiveAxes(first, data.rank());
  }
  return CopyToOutput(context, data,
                      BroadcastView(PackedView(data.shape()), target, axes));
}

absl::Status TileKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  return CopyToOutput(
      context, data,
      TiledView(data.shape(), ToInt64Vector(context.input(1))));
}

absl::Status EyeKernel(KernelContext& context) {
  const Tensor& output = context.output(0);
  if (!output.has_data()) {
    return context.Error("the number of rows, of columns or the batch's shape "
                         "is no shape");
  }
  DOVETAIL_RETURN_IF_ERROR(FillElements(context, nullptr, output));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor one, Tensor::FromDoubles(output.type(), Shape{}, {1.0}));
  if (output.element_count() == 0) return absl::OkStatus();
  const int rank = output.rank();
  const int64_t rows = output.shape()[rank - 2];
  const int64_t columns = output.shape()[rank - 1];
  const int64_t diagonal = context.input(2).ElementAsInt64(0);
  if (diagonal >= columns || diagonal <= -rows) return absl::OkStatus();
  const int64_t row = diagonal < 0 ? -diagonal : 0;
  const int64_t column = diagonal < 0 ? 0 : diagonal;
  // The diagonal of every matrix as a view of the output.
  StridedView to;
  to.offset = row * columns + column;
  to.AddAxis(output.shape().Count(0, rank - 2), rows * columns);
  to.AddAxis(std::min(rows - row, columns - column), columns + 1);
  StridedView from = to;
  from.offset = 0;
  from.strides = {0, 0};
  return CopyView(context, one, from, output, to);
}

}  // namespace dovetail
