// The step that turns a picture's colours into another format.
#ifndef DOVETAIL_CORE_PREPROCESS_COLOR_STEP_H_
#define DOVETAIL_CORE_PREPROCESS_COLOR_STEP_H_

#include "absl/status/status.h"
#include "dovetail/core/preprocess/color_format.h"
#include "dovetail/core/preprocess/step_context.h"

namespace dovetail {

// From each format to RGB, BGR, RGBX, BGRX and GRAY. GRAY gives each colour the
// same; the unused channel is made opaque, that is 1 for floats and the greatest
// value for integers. kInvalidArgument names both formats when there is no way.
absl::Status ConvertColor(ColorFormat to, StepContext& context);

// The last channel first; the colour format is said to be as before. Needs a
// layout with C.
absl::Status ReverseChannels(StepContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PREPROCESS_COLOR_STEP_H_
