// The form that most epilogues have: a bias, and perhaps a residual and limits.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_EPILOGUE_COMMON_FORM_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_EPILOGUE_COMMON_FORM_H_

#include <cstddef>
#include <limits>
#include <optional>

#include "dovetail/backends/common/fusion/epilogue.h"

namespace dovetail::gpu {

// One text serves all of them, as what is not there costs nothing beside the
// products: a kernel more takes the driver some 200 ms.
struct CommonForm {
  const ChannelVector* bias = nullptr;
  const ResidualOp* residual = nullptr;  // added; null: none
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
};

// Of the first `count` stages. Points into the epilogue. Nothing: they are not
// of that form.
std::optional<CommonForm> CommonFormOf(const Epilogue& epilogue, size_t count);

// Whether all channels have the same limits.
bool IsUniform(const ClampOp& clamp);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_EPILOGUE_COMMON_FORM_H_
