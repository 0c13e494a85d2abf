// What follows a convolution, as far as this backend's own kernels compute it.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNEL_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNEL_EPILOGUE_H_

#include <limits>
#include <optional>

#include "dovetail/backends/cpu/onednn/post_ops.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// What a kernel does with its sums and the bias: adds a tensor, then limits.
struct KernelEpilogue {
  Value residual;  // empty: none
  // Whether the result may lie where the residual does.
  bool in_place = false;
  // 0 is within them.
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
};

// Nothing when there is more in the chain.
std::optional<KernelEpilogue> KernelEpilogueOf(const PostOpChain& chain);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNEL_EPILOGUE_H_
