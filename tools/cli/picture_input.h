// A picture as the tensor that a model's input wants.
#ifndef DOVETAIL_TOOLS_CLI_PICTURE_INPUT_H_
#define DOVETAIL_TOOLS_CLI_PICTURE_INPUT_H_

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/tools/cli/input_values.h"

namespace dovetail::cli {

// Resizes a picture (u8 [h,w,c]) to the input's height and width, orders and
// lays out its channels (NCHW or NHWC, told by which axis is 1 or 3 long), and
// converts it to the input's type. A batch repeats the picture.
// kInvalidArgument when the input is no picture.
absl::StatusOr<Tensor> PictureToInput(const PortInfo& port,
                                      const Tensor& picture,
                                      const PictureOptions& options);

// How many channels the input takes: 1 or 3; kInvalidArgument when it takes no
// picture.
absl::StatusOr<int> PictureChannels(const PortInfo& port);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_PICTURE_INPUT_H_
