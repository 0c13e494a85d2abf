// What kernels of the device compute, beside the reference kernels.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_COMMON_COMPARE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_COMMON_COMPARE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dovetail::gpu {

// Whether there is a device of OpenCL's to compare on.
bool HasDevice();

// Compiles a model in text form (core/ops/text/parse.h) with constants and
// random inputs as in random_model.h, for work items of `lanes` elements, and
// runs it twice on the first device. The kernels of its steps in order,
// reorders aside, with commas between them; what is wrong where the results are
// not within 1e-5 of the reference's. A Clamp, which may not change anything,
// stands for an operation that stores its output in blocks of 16 channels.
std::string KernelsIfRight(absl::string_view model, int lanes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_COMMON_COMPARE_H_
