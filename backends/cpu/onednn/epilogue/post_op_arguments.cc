#include "dovetail/backends/cpu/onednn/epilogue/post_op_arguments.h"

#include <utility>

#include "dovetail/backends/cpu/compiler/channel_constants.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

bool HasArgument(const PostOp& op) {
  return op.kind == PostOp::Kind::kBinary || op.kind == PostOp::Kind::kPRelu;
}

dnnl::memory::desc DescribeOperand(const PostOp& op,
                                   const PostOpTarget& target) {
  if (op.tensor) return DescribeAny(target.shape, op.tensor_type);
  Shape shape = target.shape;
  for (int i = 0; i < shape.rank(); ++i) {
    if (i != target.channel_axis) shape[i] = 1;
  }
  return Describe(shape, {ElementType::kF32, Layout::kPlanar});
}

absl::StatusOr<PrimitiveOperand> Argument(const PostOp& op, int index,
                                          const PostOpTarget& target,
                                          const dnnl::primitive_desc_base& desc,
                                          PlanBuilder& builder) {
  const bool prelu = op.kind == PostOp::Kind::kPRelu;
  PrimitiveOperand argument;
  argument.argument = DNNL_ARG_ATTR_MULTIPLE_POST_OP(index) |
                      (prelu ? DNNL_ARG_WEIGHTS : DNNL_ARG_SRC_1);
  if (!op.tensor) {
    argument.desc = DescribeOperand(op, target);
    DOVETAIL_ASSIGN_OR_RETURN(argument.operand,
                              AddChannelConstants(builder, op.channels));
    return argument;
  }
  argument.desc = desc.query_md(dnnl::query::exec_arg_md, argument.argument);
  const auto layout = LayoutOf(argument.desc, target.shape);
  if (!layout.has_value()) {
    return Internal("a post-operation reads a tensor in an unknown layout");
  }
  DOVETAIL_ASSIGN_OR_RETURN(argument.operand,
                            builder.Read(op.tensor, {op.tensor_type, *layout}));
  return argument;
}

}  // namespace

void AddPostOps(const std::vector<PostOp>& ops, const PostOpTarget& target,
                dnnl::primitive_attr& attr) {
  dnnl::post_ops post_ops;
  for (const PostOp& op : ops) {
    switch (op.kind) {
      case PostOp::Kind::kEltwise:
        post_ops.append_eltwise(op.algorithm, op.alpha, op.beta);
        break;
      case PostOp::Kind::kBinary:
        post_ops.append_binary(op.algorithm, DescribeOperand(op, target));
        break;
      case PostOp::Kind::kPRelu:
        post_ops.append_prelu(1 << target.channel_axis);
        break;
      case PostOp::Kind::kSum:
        post_ops.append_sum(1);
        break;
    }
  }
  attr.set_post_ops(post_ops);
}

absl::StatusOr<std::vector<PrimitiveOperand>> PostOpArguments(
    const std::vector<PostOp>& ops, const PostOpTarget& target,
    const dnnl::primitive_desc_base& desc, PlanBuilder& builder) {
  std::vector<PrimitiveOperand> arguments;
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!HasArgument(ops[i])) continue;
    DOVETAIL_ASSIGN_OR_RETURN(
        PrimitiveOperand argument,
        Argument(ops[i], static_cast<int>(i), target, desc, builder));
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

}  // namespace dovetail::cpu
