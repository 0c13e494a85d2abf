// Epilogues as oneDNN takes them: scales, a bias and post-operations.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_POST_OPS_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_POST_OPS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/onednn/epilogue/post_op.h"
#include "dovetail/backends/cpu/onednn/epilogue/post_op_arguments.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// What primitives can have of an epilogue at best; which of them has it, only
// the attempt to make it tells.
EpilogueSupport OneDnnEpilogues(int channel_axis = 1);

// An epilogue of OneDnnEpilogues, lowered. Use:
//
//   for (size_t length = epilogue.size();; --length) {
//     const PostOps post_ops(epilogue.First(length), options, builder);
//     dnnl::primitive_attr attr = ScratchpadAttr();
//     post_ops.AddTo(attr);
//     … a descriptor with attr, and a bias if there is one …
//     if (it is good or length == 0) break;
//   }
//   … read the anchor's inputs …
//   auto arguments = post_ops.Arguments(desc, builder);
//   builder.Fuse(epilogue.nodes());
//   … builder.Write(epilogue.result(), …), AddPrimitive …
class PostOps {
 public:
  struct Options {
    int channel_axis = 1;  // as the epilogue was found with
    // Whether a first scale is wanted as scales() (of the sums of an integer
    // primitive), and the next bias as bias().
    bool takes_scales = false;
    bool takes_bias = true;
    // Whether a tensor that is added first, and that nobody needs afterwards,
    // may be accumulated on where it is stored as the result is: see residual().
    bool accumulates = false;
    ElementType result_type = ElementType::kF32;
    // The result's shape as the primitive sees it, where that is another than
    // the model's: of row-major tensors that are reshaped.
    std::optional<Shape> shape;
  };

  PostOps() = default;
  PostOps(const Epilogue& epilogue, const Options& options,
          const PlanBuilder& builder);

  // Empty: none.
  const ChannelVector& scales() const { return scales_; }
  const ChannelVector& bias() const { return bias_; }
  int64_t channels() const { return target_.shape[target_.channel_axis]; }
  // A tensor of the result's shape that has to be where the primitive writes,
  // in the same format: AddAccumulating sees to that. Empty: none.
  Value residual() const;
  // What comes after scales and bias, in order.
  const std::vector<PostOp>& ops() const { return ops_; }

  // As AddPostOps, which throws like all of oneDNN.
  void AddTo(dnnl::primitive_attr& attr) const {
    AddPostOps(ops_, target_, attr);
  }
  // As PostOpArguments.
  absl::StatusOr<std::vector<PrimitiveOperand>> Arguments(
      const dnnl::primitive_desc_base& desc, PlanBuilder& builder) const {
    return PostOpArguments(ops_, target_, desc, builder);
  }

 private:
  ChannelVector scales_, bias_;
  std::vector<PostOp> ops_;
  PostOpTarget target_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_POST_OPS_H_
