// What the texts of kernels that compute windows have in common.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_WINDOW_TEXT_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_WINDOW_TEXT_H_

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
// `xt` is the data of one, where that of the first window's is `xi`.
inline constexpr char kWindowLoops[] = R"(
  for (int b = 0; b < blocks; ++b)
  for (int z = 0; z < taps_z; ++z)
  for (int y_ = 0; y_ < taps_y; ++y_)
  for (int x_ = 0; x_ < taps_x; ++x_) {
    const __global float* xt =
        xi + b * x_block + z * x_tap_z + y_ * x_tap_y + x_ * x_tap_x;
)";

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_WINDOW_TEXT_H_
