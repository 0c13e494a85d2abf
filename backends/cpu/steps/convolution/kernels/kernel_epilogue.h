// What follows a convolution, as far as this backend's own kernels compute it.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_KERNEL_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_KERNEL_EPILOGUE_H_

#include <limits>
#include <optional>
#include <vector>

#include "dovetail/backends/cpu/kernels/integer/integer_epilogue.h"
#include "dovetail/backends/cpu/onednn/post_ops.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// What a kernel does with its sums and the bias, in this order: rounds to a
// grid, adds a tensor, multiplies what is below 0, limits, and quantises.
struct KernelEpilogue {
  bool has_grid = false;
  IntegerEpilogue::Grid grid;

  // f32, or bytes that stand for x * scale + shift; empty: none.
  Value residual;
  float residual_scale = 1, residual_shift = 0;
  // Whether the result may lie where the residual does.
  bool in_place = false;
  // One number for each channel; empty: 1.
  std::vector<float> slope;
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
  // How the result is stored: f32, or as the nearest u8 or i8 to
  // x * scale + shift, from `lowest` to `highest`.
  ElementType type = ElementType::kF32;
  std::vector<float> scale, shift;  // one for each channel; empty for f32
  float lowest = -128, highest = 255;

  // Whether channels that only fill a block stay 0, and nothing is rounded: the
  // result is f32, as is the residual if the chain takes no bytes.
  bool is_plain() const {
    return !has_grid && type == ElementType::kF32 && low <= 0 && high >= 0;
  }
};

// Nothing when there is more in the chain.
std::optional<KernelEpilogue> KernelEpilogueOf(const PostOpChain& chain);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_KERNEL_EPILOGUE_H_
