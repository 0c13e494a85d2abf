// What an application says of a tensor around a model.
#ifndef DOVETAIL_CORE_PREPROCESS_TENSOR_DESCRIPTION_H_
#define DOVETAIL_CORE_PREPROCESS_TENSOR_DESCRIPTION_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/core/preprocess/color_format.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// What one side of an input or output looks like. What is not set is as on the
// model's side.
class TensorDescription {
 public:
  TensorDescription& set_element_type(ElementType type) {
    type_ = type;
    return *this;
  }
  TensorDescription& set_layout(absl::string_view layout) {
    layout_ = std::string(layout);
    return *this;
  }
  // Of inputs only, as are the shape and the spatial size. In several planes,
  // the shape is that of the picture as [N,H,W,C].
  TensorDescription& set_color_format(ColorFormat color) {
    color_ = color;
    return *this;
  }
  TensorDescription& set_shape(const PartialShape& shape) {
    shape_ = shape;
    return *this;
  }
  // H and W of the layout; unknown extents take pictures of any size.
  TensorDescription& set_spatial_shape(const Dimension& height,
                                       const Dimension& width) {
    height_ = height, width_ = width;
    return *this;
  }
  TensorDescription& set_spatial_dynamic() {
    return set_spatial_shape(Dimension(), Dimension());
  }

  std::optional<ElementType> type() const { return type_; }
  const std::string& layout() const { return layout_; }
  ColorFormat color() const { return color_; }
  const std::optional<PartialShape>& shape() const { return shape_; }
  const std::optional<Dimension>& height() const { return height_; }
  const std::optional<Dimension>& width() const { return width_; }

 private:
  std::optional<ElementType> type_;
  std::string layout_;
  ColorFormat color_ = ColorFormat::kUndefined;
  std::optional<PartialShape> shape_;
  std::optional<Dimension> height_, width_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PREPROCESS_TENSOR_DESCRIPTION_H_
