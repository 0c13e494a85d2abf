#include "dovetail/backends/gpu/steps/common/window_arguments.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"

namespace dovetail::gpu {

WindowAxes PlaneWindows(const SlidingWindow& window, const Shape& data,
                        const Shape& kernel, const Shape& output) {
  return {ResolveWindow(window, 0, data[2], kernel[2], output[2]),
          ResolveWindow(window, 1, data[3], kernel[3], output[3])};
}

bool FitInts(const WindowAxes& axes) {
  return axes[0].pad_begin <= kMaxWindowNumber &&
         axes[1].pad_begin <= kMaxWindowNumber;
}

void AddWindows(Launch& launch, const WindowAxes& axes) {
  for (int i = 0; i < 2; ++i) {
    const std::string axis = i == 0 ? "_y" : "_x";
    AddInt(launch, absl::StrCat("extent", axis), axes[i].input);
    AddInt(launch, absl::StrCat("window", axis), axes[i].kernel);
    AddInt(launch, absl::StrCat("stride", axis), axes[i].stride);
    AddInt(launch, absl::StrCat("dilation", axis), axes[i].dilation);
    AddInt(launch, absl::StrCat("pad", axis), axes[i].pad_begin);
    AddInt(launch, absl::StrCat("positions", axis), axes[i].output);
  }
}

}  // namespace dovetail::gpu
