// Pictures for a model's inputs: what makes them fit, in the model or before
// it.
#ifndef DOVETAIL_TOOLS_CLI_INPUT_PICTURE_INPUT_H_
#define DOVETAIL_TOOLS_CLI_INPUT_PICTURE_INPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/image/resize/interpolate.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/preprocess/color_format.h"
#include "dovetail/core/preprocess/geometry_steps.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/tools/cli/arguments.h"

namespace dovetail::cli {

// --mean, --scale, --rgb, --resize, --picture-size, --color.
std::vector<Flag> PictureFlags();

// How a picture becomes an input: it is resized, its channels are put in the
// model's order, then (x - mean) / scale, one number for all channels or one a
// channel.
struct PictureOptions {
  bool rgb = false;  // else the picture's channels are given as BGR
  std::vector<double> mean, scale;
  // Whether the model itself does all this, and takes u8 [N,H,W,C] as it is.
  bool in_model = false;
  std::optional<ResizeMode> resize = ResizeMode::kLinear;  // none: as it is
  std::optional<PictureSize> size;  // in the model: of the pictures; none: any
  // In the model: what it is given in place of u8 RGB. Not in PNG and JPEG.
  ColorFormat color = ColorFormat::kUndefined;
};
absl::StatusOr<PictureOptions> ChoosePictureOptions(const Arguments& arguments);

// Which axes of an input are which, and how many channels it takes.
struct PicturePort {
  std::string layout;  // "NCHW", "NHWC", "CHW" or "HWC"
  int channels = 0;    // 1 or 3
  Dimension height, width;
  int64_t batch = 1;
};
// Told by which axis is 1 or 3 long; kInvalidArgument when it takes no picture.
absl::StatusOr<PicturePort> FindPicturePort(absl::string_view name,
                                            const PartialShape& shape);

// Puts the steps into the model, behind each input that takes pictures. The
// model is used up where that fails; kInvalidArgument where none takes any.
absl::Status TakePictures(const PictureOptions& options, Model& model);

// The tensor for `port` of a picture (u8 [h,w,c]): the picture itself where the
// model has the steps in it, else what they make of it. A batch repeats it.
absl::StatusOr<Tensor> PictureToInput(const PortInfo& port,
                                      const Tensor& picture,
                                      const PictureOptions& options);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_INPUT_PICTURE_INPUT_H_
