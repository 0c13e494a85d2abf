#include "dovetail/core/ops/image/patches/col2im.h"

#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

absl::Status CheckPair(const InferContext& context, int input,
                       absl::string_view what) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, input));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, input, 1));
  const PartialShape& shape = context.shape(input);
  if (shape.rank_known() && !shape[0].Contains(2)) {
    return context.Error("input ", input, " (", what, ") has shape ",
                         shape.ToString(), ", want a height and a width");
  }
  return absl::OkStatus();
}

// The extents of a patch, when they are known.
absl::StatusOr<std::optional<std::vector<int64_t>>> KernelOf(
    const InferContext& context) {
  std::optional<std::vector<int64_t>> kernel = context.ints(2);
  if (!kernel.has_value()) return kernel;
  for (int64_t extent : *kernel) {
    if (extent < 1 || extent > kMaxWindowNumber) {
      return context.Error("input 2 (kernel_size) holds ", extent,
                           ", want 1 to ", kMaxWindowNumber);
    }
  }
  return kernel;
}

// C for `rows` = C * height * width.
absl::StatusOr<Dimension> Channels(const InferContext& context,
                                   const Dimension& rows,
                                   const std::vector<int64_t>& kernel) {
  const int64_t area = kernel[0] * kernel[1];
  if (rows.is_static() && rows.value() % area != 0) {
    return context.Error("data of shape ", context.shape(0).ToString(),
                         " has ", rows.value(), " rows, want a multiple of ",
                         area, ", the elements of a patch");
  }
  return Dimension(CeilDivide(rows, area).min(), FloorDivide(rows, area).max());
}

// The number of positions has to be that of the columns of data.
absl::Status CheckColumns(const InferContext& context,
                          const PartialShape& image, int first_spatial,
                          const std::vector<int64_t>& kernel,
                          const Dimension& columns) {
  const SlidingWindow& window = context.attributes<Col2ImAttributes>().window;
  Dimension positions = 1;
  for (int axis = 0; axis < 2; ++axis) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Dimension count,
        WindowCount(context, window, axis, image[first_spatial + axis],
                    kernel[axis]));
    positions = positions * count;
  }
  if (positions.Compatible(columns)) return absl::OkStatus();
  return context.Error("data of shape ", context.shape(0).ToString(), " has ",
                       columns.ToString(), " columns, want ",
                       positions.ToString(),
                       ", the number of positions of a patch in the image");
}

}  // namespace

absl::Status InferCol2Im(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 0, 2, 3));
  DOVETAIL_RETURN_IF_ERROR(CheckPair(context, 1, "output_size"));
  DOVETAIL_RETURN_IF_ERROR(CheckPair(context, 2, "kernel_size"));
  DOVETAIL_RETURN_IF_ERROR(
      CheckWindow(context, context.attributes<Col2ImAttributes>().window, 2,
                  /*pads_not_negative=*/true));
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<std::vector<int64_t>> kernel,
                            KernelOf(context));
  const PartialShape& data = context.shape(0);
  if (!data.rank_known()) {
    context.SetOutput(0, context.type(0), PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  const int channel_axis = data.rank() - 2;
  PartialShape output = PartialShape::OfRank(data.rank() + 1);
  if (channel_axis == 1) output[0] = data[0];
  if (const ValueRange* size = context.value(1);
      size != nullptr && size->size() == 2) {
    const PartialShape extents = size->ToPartialShape();
    output[channel_axis + 1] = extents[0];
    output[channel_axis + 2] = extents[1];
  }
  if (kernel.has_value()) {
    DOVETAIL_ASSIGN_OR_RETURN(output[channel_axis],
                              Channels(context, data[channel_axis], *kernel));
    DOVETAIL_RETURN_IF_ERROR(CheckColumns(context, output, channel_axis + 1,
                                          *kernel, data[channel_axis + 1]));
  }
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
