// The step that turns a picture's colours into another format.
#ifndef DOVETAIL_CORE_PREPROCESS_COLOR_STEP_H_
#define DOVETAIL_CORE_PREPROCESS_COLOR_STEP_H_

#include "absl/status/status.h"
#include "dovetail/core/preprocess/color_format.h"
#include "dovetail/core/preprocess/step_context.h"

namespace dovetail {

// From NV12, I420, RGBX and BGRX to RGB or BGR; from RGB and BGR to each other
// and to GRAY. kInvalidArgument names both formats when there is no way.
absl::Status ConvertColor(ColorFormat to, StepContext& context);

// The last channel first; the colour format is said to be as before. Needs a
// layout with C.
absl::Status ReverseChannels(StepContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PREPROCESS_COLOR_STEP_H_
