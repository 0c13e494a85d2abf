// Epilogue of convolutions: what their kernels do with sums.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_EPILOGUE_H_

#include <cstdint>
#include <limits>

namespace dovetail::cpu {

// sum + bias, activated, + residual, then times the slope where that is
// negative, then limited. Null pointers leave their part out. Numbers for each
// output are padded to whole blocks of 8.
struct ConvolutionEpilogue {
  // Of which 0 is 0, for channels that only fill a block.
  enum class Activation : uint8_t {
    kNone,
    kSwish,   // x * sigmoid(beta * x)
    kHSwish,  // x * min(max(x + 3, 0), 6) / 6
    kSlope,   // x, times beta where it is negative
  };

  const float* bias = nullptr;
  const float* residual = nullptr;  // laid out as the output; may be the output
  const float* slope = nullptr;
  // Winograd's kernels alone have one.
  Activation activation = Activation::kNone;
  float beta = 1;
  // 0 is within the limits if there are padded channels.
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_EPILOGUE_H_
