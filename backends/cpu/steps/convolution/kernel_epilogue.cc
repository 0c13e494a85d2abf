#include "dovetail/backends/cpu/steps/convolution/kernel_epilogue.h"

namespace dovetail::cpu {

std::optional<KernelEpilogue> KernelEpilogueOf(const PostOpChain& chain) {
  if (chain.is_integer()) return std::nullopt;
  KernelEpilogue epilogue;
  bool limited = false;
  for (const PostOp& op : chain.ops()) {
    if (limited) return std::nullopt;
    if (op.tensor && !epilogue.residual &&
        (op.kind == PostOp::Kind::kSum ||
         op.algorithm == dnnl::algorithm::binary_add)) {
      epilogue.residual = op.tensor;
      epilogue.in_place = op.kind == PostOp::Kind::kSum;
    } else if (op.algorithm == dnnl::algorithm::eltwise_relu && op.alpha == 0) {
      epilogue.low = 0;
      limited = true;
    } else if (op.algorithm == dnnl::algorithm::eltwise_clip && op.alpha <= 0 &&
               op.beta >= 0) {
      epilogue.low = op.alpha;
      epilogue.high = op.beta;
      limited = true;
    } else {
      return std::nullopt;
    }
  }
  return epilogue;
}

}  // namespace dovetail::cpu
