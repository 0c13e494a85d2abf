// The windows of a convolution along one axis of its input.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINDOW_AXIS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINDOW_AXIS_H_

#include <cstdint>

namespace dovetail::cpu {

struct WindowAxis {
  int64_t input = 1, output = 1;  // extents
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t pad = 0;  // zeros before the input; those behind it follow

  // What so many neighbouring outputs read, from first to last.
  int64_t Reach(int64_t count) const {
    return (count - 1) * stride + (kernel - 1) * dilation + 1;
  }
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_WINDOW_AXIS_H_
