// Detections of a model as boxes in the picture that it was given.
#ifndef DOVETAIL_TOOLS_CLI_OUTPUT_BOXES_H_
#define DOVETAIL_TOOLS_CLI_OUTPUT_BOXES_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/preprocess/geometry_steps.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/tools/conformance/compare/detections.h"

namespace dovetail::cli {

// Those of the first output that holds detections (detections.h), from that
// confidence on, the most confident first, in pixels of `picture`. Rows of
// seven have corners as parts of the picture; rows of five as pixels of the
// model's input, whose size is `input`. kInvalidArgument lists the outputs'
// shapes where none holds any, and says that `input` lacks where it does.
absl::StatusOr<std::vector<conformance::Detection>> BoxesIn(
    const std::vector<Tensor>& outputs, const PictureSize& picture,
    const std::optional<PictureSize>& input, double threshold);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_OUTPUT_BOXES_H_
