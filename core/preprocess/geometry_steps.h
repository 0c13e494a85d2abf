// Steps that change where a picture's elements are: size, borders, axes.
#ifndef DOVETAIL_CORE_PREPROCESS_GEOMETRY_STEPS_H_
#define DOVETAIL_CORE_PREPROCESS_GEOMETRY_STEPS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/ops/image/resize/interpolate.h"
#include "dovetail/core/ops/movement/slicing/pad.h"
#include "dovetail/core/preprocess/layout.h"
#include "dovetail/core/preprocess/step_context.h"

namespace dovetail {

struct PictureSize {
  int64_t height, width;
};

// Interpolate along H and W, between middles of pixels. Without a size: that
// of the model, which has to be known.
absl::Status Resize(ResizeMode mode, std::optional<PictureSize> size,
                    StepContext& context);

// Elements begin to end - 1 of each axis, counted from its end when negative.
absl::Status Crop(const std::vector<int64_t>& begin,
                  const std::vector<int64_t>& end, StepContext& context);

// So many elements more at the ends of each axis, fewer where negative.
absl::Status Pad(const std::vector<int64_t>& begin,
                 const std::vector<int64_t>& end, double value, PadMode mode,
                 StepContext& context);

// Transposes to that layout; the empty one means the model's.
absl::Status ConvertLayout(const Layout& to, StepContext& context);
// Axis i of the result is axis order[i].
absl::Status TransposeAxes(const std::vector<int64_t>& order,
                           StepContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PREPROCESS_GEOMETRY_STEPS_H_
