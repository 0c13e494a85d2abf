#include "dovetail/core/preprocess/input_shapes.h"

#include <optional>

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// The model's shape in the order of the tensor's axes.
absl::StatusOr<PartialShape> InOrder(const PartialShape& shape,
                                     const Layout& from, const Layout& to) {
  if (!shape.rank_known() || from.empty() || to.empty()) return shape;
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<int64_t> order,
                            LayoutOrder(from, to, shape.rank()));
  PartialShape result = PartialShape::OfRank(0);
  for (const int64_t axis : order) {
    result.push_back(shape[static_cast<int>(axis)]);
  }
  return result;
}

absl::Status SetExtent(const Layout& layout, absl::string_view axis,
                       const std::optional<Dimension>& extent,
                       PartialShape& shape) {
  if (!extent.has_value()) return absl::OkStatus();
  if (!shape.rank_known()) {
    return InvalidArgument("the number of dimensions has to be known");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int index, layout.Axis(axis, shape.rank()));
  shape[index] = *extent;
  return absl::OkStatus();
}

// Of the planes of a picture [N,H,W,C].
absl::StatusOr<std::vector<PartialShape>> PlaneShapes(
    ColorFormat color, const PartialShape& picture) {
  if (!picture.rank_known() || picture.rank() != 4) {
    return InvalidArgument("a picture in ", ColorFormatName(color),
                           " needs 4 dimensions [N,H,W,C]; the shape is ",
                           picture.ToString());
  }
  const Dimension n = picture[0], height = picture[1], width = picture[2];
  if ((height.is_static() && height.value() % 2 != 0) ||
      (width.is_static() && width.value() % 2 != 0)) {
    return InvalidArgument("a picture in ", ColorFormatName(color),
                           " needs even height and width; the shape is ",
                           picture.ToString());
  }
  if (PlaneNames(color).empty()) {
    const Dimension rows =
        height.is_static() ? Dimension(height.value() / 2 * 3) : Dimension();
    return std::vector<PartialShape>{{n, rows, width, 1}};
  }
  const Dimension rows = FloorDivide(height, 2),
                  columns = FloorDivide(width, 2);
  if (color == ColorFormat::kNv12TwoPlanes) {
    return std::vector<PartialShape>{{n, height, width, 1},
                                     {n, rows, columns, 2}};
  }
  return std::vector<PartialShape>{
      {n, height, width, 1}, {n, rows, columns, 1}, {n, rows, columns, 1}};
}

}  // namespace

absl::StatusOr<std::vector<PartialShape>> InputShapes(
    const TensorDescription& tensor, const Layout& layout,
    const PartialShape& model_shape, const Layout& model_layout) {
  PartialShape shape;
  if (tensor.shape().has_value()) {
    shape = *tensor.shape();
  } else {
    DOVETAIL_ASSIGN_OR_RETURN(shape,
                              InOrder(model_shape, model_layout, layout));
    const int channels = ChannelsOf(tensor.color());
    if (channels > 0) {
      DOVETAIL_RETURN_IF_ERROR(
          SetExtent(layout, "C", Dimension(channels), shape));
    }
  }
  DOVETAIL_RETURN_IF_ERROR(SetExtent(layout, "H", tensor.height(), shape));
  DOVETAIL_RETURN_IF_ERROR(SetExtent(layout, "W", tensor.width(), shape));
  if (IsYuv(tensor.color())) return PlaneShapes(tensor.color(), shape);
  return std::vector<PartialShape>{shape};
}

}  // namespace dovetail
