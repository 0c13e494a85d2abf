#include "dovetail/tools/cli/picture_input.h"

#include <optional>

#include "dovetail/core/base/status.h"
#include "dovetail/extensions/image/image.h"

namespace dovetail::cli {
namespace {

// Which axes of an input are which.
struct Layout {
  int batch = -1;  // -1: none
  int channel = -1, height = -1, width = -1;
};

bool IsChannels(const Dimension& dim) {
  return dim == Dimension(1) || dim == Dimension(3);
}

// [N,C,H,W], [N,H,W,C], [C,H,W] or [H,W,C].
absl::StatusOr<Layout> FindLayout(const PortInfo& port) {
  const PartialShape& shape = port.shape;
  if (shape.rank_known() && (shape.rank() == 4 || shape.rank() == 3)) {
    const int first = shape.rank() - 3;
    Layout layout;
    layout.batch = first - 1;
    if (IsChannels(shape[first])) {
      layout.channel = first, layout.height = first + 1,
      layout.width = first + 2;
      return layout;
    }
    if (IsChannels(shape[first + 2])) {
      layout.height = first, layout.width = first + 1,
      layout.channel = first + 2;
      return layout;
    }
  }
  return InvalidArgument("input '", port.name, "' ", shape.ToString(),
                         " takes no picture: want [N,C,H,W] or [N,H,W,C] with "
                         "1 or 3 channels");
}

int64_t ExtentOr(const Dimension& dim, int64_t otherwise) {
  return dim.is_static() ? dim.value() : otherwise;
}

double ChannelValue(const std::vector<double>& values, int64_t channel,
                    double otherwise) {
  if (values.empty()) return otherwise;
  return values[values.size() == 1 ? 0 : channel];
}

absl::Status CheckChannelValues(const std::vector<double>& values,
                                absl::string_view flag, int64_t channels) {
  if (values.size() <= 1 || static_cast<int64_t>(values.size()) == channels) {
    return absl::OkStatus();
  }
  return InvalidArgument("--", flag, " has ", values.size(),
                         " numbers, the input has ", channels, " channels");
}

// The shape of the input for a picture of that size.
absl::StatusOr<Shape> InputShape(const PortInfo& port, const Layout& layout,
                                 const Tensor& picture) {
  Shape shape = Shape::Filled(port.shape.rank(), 1);
  if (layout.batch >= 0) {
    shape[layout.batch] = ExtentOr(port.shape[layout.batch], 1);
  }
  shape[layout.channel] = port.shape[layout.channel].value();
  shape[layout.height] =
      ExtentOr(port.shape[layout.height], picture.shape()[0]);
  shape[layout.width] = ExtentOr(port.shape[layout.width], picture.shape()[1]);
  return shape;
}

// Distance in elements between neighbours along an axis.
int64_t StrideOf(const Shape& shape, int axis) {
  return shape.Count(axis + 1, shape.rank());
}

}  // namespace

absl::StatusOr<int> PictureChannels(const PortInfo& port) {
  DOVETAIL_ASSIGN_OR_RETURN(const Layout layout, FindLayout(port));
  return static_cast<int>(port.shape[layout.channel].value());
}

absl::StatusOr<Tensor> PictureToInput(const PortInfo& port,
                                      const Tensor& picture,
                                      const PictureOptions& options) {
  DOVETAIL_ASSIGN_OR_RETURN(const Layout layout, FindLayout(port));
  const int64_t channels = picture.shape()[2];
  DOVETAIL_RETURN_IF_ERROR(CheckChannelValues(options.mean, "mean", channels));
  DOVETAIL_RETURN_IF_ERROR(
      CheckChannelValues(options.scale, "scale", channels));
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                            InputShape(port, layout, picture));
  if (shape[layout.channel] != channels) {
    return InvalidArgument("input '", port.name, "' takes ",
                           shape[layout.channel], " channels, the picture has ",
                           channels);
  }
  const int64_t height = shape[layout.height], width = shape[layout.width];
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor resized,
                            ResizeBilinear(picture, height, width));
  DOVETAIL_ASSIGN_OR_RETURN(Tensor input, Tensor::Allocate(port.type, shape));
  const int64_t batch = layout.batch >= 0 ? shape[layout.batch] : 1;
  const uint8_t* pixels = resized.data<uint8_t>();
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t source = options.rgb ? c : channels - 1 - c;
      const double mean = ChannelValue(options.mean, c, 0);
      const double scale = ChannelValue(options.scale, c, 1);
      for (int64_t i = 0; i < height * width; ++i) {
        const int64_t at = n * channels * height * width +
                           c * StrideOf(shape, layout.channel) +
                           i / width * StrideOf(shape, layout.height) +
                           i % width * StrideOf(shape, layout.width);
        input.SetElement(at, (pixels[i * channels + source] - mean) / scale);
      }
    }
  }
  return input;
}

}  // namespace dovetail::cli
