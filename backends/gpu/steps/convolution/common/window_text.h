// What the texts of kernels that compute windows have in common.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_WINDOW_TEXT_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_WINDOW_TEXT_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// Where a work item's results are, in the range of DirectBody. $0: its pixels.
// One driver fails to compile a choice between get_global_id of two numbers.
inline constexpr char kPlaceText[] = R"(
  const int fast = get_global_id(0), slow = get_global_id(2);
  const int tile = fast + channels_first * (slow - fast);
  const int px = min(tile * $0, width - $0);
  const int py = get_global_id(1) % height;
  const int pz = get_global_id(1) / height % depth;
  const int image = get_global_id(1) / height / depth;
  const int item = slow + channels_first * (fast - slow);
)";

// The loops over blocks of input channels and elements of the window, open:
// `xt` is the data of one, where that of the first window's is `xi`. $0: OpenCL
// C's type of the data.
inline constexpr char kWindowLoops[] = R"(
  for (int b = 0; b < blocks; ++b)
  for (int z = 0; z < taps_z; ++z)
  for (int y_ = 0; y_ < taps_y; ++y_)
  for (int x_ = 0; x_ < taps_x; ++x_) {
    const __global $0* xt =
        xi + b * x_block + z * x_tap_z + y_ * x_tap_y + x_ * x_tap_x;
)";

inline std::string WindowLoops(ElementType data) {
  return absl::Substitute(kWindowLoops, ClType(data));
}

// The statement, without its semicolon, that stores channels `v` from `at` on,
// and zeros for those from number `left` on. Needs KeepFunction.
inline std::string KeepLanes(ElementType stored, int lanes) {
  return StoreFloats(stored, absl::StrCat("keep_lanes", lanes, "(v, left)"),
                     "y + at", lanes, /*aligned=*/true);
}

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_WINDOW_TEXT_H_
