// Post-operations as oneDNN takes them: in the attributes of a primitive, with
// operands among its arguments.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_POST_OP_ARGUMENTS_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_POST_OP_ARGUMENTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/onednn/epilogue/post_op.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// What the primitive computes, as it sees it.
struct PostOpTarget {
  Shape shape;
  int channel_axis = 0;  // not negative
};

// Throws like all of oneDNN.
void AddPostOps(const std::vector<PostOp>& ops, const PostOpTarget& target,
                dnnl::primitive_attr& attr);

// The operands for the primitive of `desc`, which was made with attributes of
// AddPostOps. May add steps that bring tensors into its layout.
absl::StatusOr<std::vector<PrimitiveOperand>> PostOpArguments(
    const std::vector<PostOp>& ops, const PostOpTarget& target,
    const dnnl::primitive_desc_base& desc, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_POST_OP_ARGUMENTS_H_
