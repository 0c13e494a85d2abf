#include "dovetail/core/reference/control/joined_output.h"

#include <algorithm>
#include <utility>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/reference/common/copy_view.h"
#include "dovetail/core/reference/common/whole_bytes.h"

namespace dovetail {
namespace {

absl::StatusOr<int> CheckedAxis(const KernelContext& context,
                                const BodyOutput& binding, int rank) {
  absl::StatusOr<int> axis = NormalizeAxis(binding.slicing->axis, rank);
  if (axis.ok()) return axis;
  return context.Error("output ", binding.output, ": ",
                       axis.status().message());
}

// Copies the parts behind each other along the axis.
absl::Status Concat(const KernelContext& context,
                    const std::vector<Tensor>& parts, int axis,
                    const Tensor& whole) {
  const StridedView all = PackedView(whole.shape());
  int64_t position = 0;
  for (const Tensor& part : parts) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor bytes, UnpackBits(part));
    const int64_t extent = part.shape()[axis];
    DOVETAIL_RETURN_IF_ERROR(
        CopyView(context, bytes, PackedView(part.shape()), whole,
                 Narrowed(all, axis, position, extent)));
    position += extent;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status JoinedOutput::FinishEmpty(KernelContext& context,
                                       const OutputPort& result) const {
  if (!result.shape.rank_known() || result.type == ElementType::kDynamic) {
    return context.Error(
        "runs no iteration, so that nothing is known of "
        "output ",
        binding_->output);
  }
  const std::vector<int64_t> least = result.shape.MinDims();
  Shape shape = least.empty() ? Shape({1}) : Shape(least);
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            CheckedAxis(context, *binding_, shape.rank()));
  shape[axis] = 0;
  return context.AllocateOutput(binding_->output, result.type, shape);
}

absl::StatusOr<Shape> JoinedOutput::JoinedShape(const KernelContext& context,
                                                int axis) {
  Shape joined = parts_[0].shape();
  joined[axis] = 0;
  for (size_t i = 0; i < parts_.size(); ++i) {
    Shape expected = joined;
    if (parts_[i].rank() == joined.rank()) {
      expected[axis] = parts_[i].shape()[axis];
    }
    if (parts_[i].type() != parts_[0].type() ||
        parts_[i].shape() != expected) {
      return context.Error(
          "iteration ", i, " gives ", ElementTypeName(parts_[i].type()),
          parts_[i].shape().ToString(), " for output ", binding_->output,
          ", the first one gave ", ElementTypeName(parts_[0].type()),
          parts_[0].shape().ToString());
    }
    const auto sum = CheckedAdd(joined[axis], expected[axis]);
    if (!sum.has_value()) {
      return context.Error("output ", binding_->output, " is too large");
    }
    joined[axis] = *sum;
  }
  return joined;
}

absl::Status JoinedOutput::Finish(KernelContext& context) {
  for (Tensor& part : parts_) {
    if (part.rank() > 0) continue;
    DOVETAIL_ASSIGN_OR_RETURN(part, part.Reshape(Shape({1})));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            CheckedAxis(context, *binding_, parts_[0].rank()));
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape, JoinedShape(context, axis));
  if (binding_->slicing->stride < 0) std::reverse(parts_.begin(), parts_.end());
  const ElementType type = parts_[0].type();
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(binding_->output, type, shape));
  const Tensor& output = context.output(binding_->output);
  if (IsSubByte(type)) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor bytes,
                              Tensor::Allocate(ByteTypeOf(type), shape));
    DOVETAIL_RETURN_IF_ERROR(Concat(context, parts_, axis, bytes));
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor packed, PackBits(bytes, type));
    DOVETAIL_RETURN_IF_ERROR(output.CopyFrom(packed));
  } else {
    DOVETAIL_RETURN_IF_ERROR(Concat(context, parts_, axis, output));
  }
  parts_.clear();
  return absl::OkStatus();
}

}  // namespace dovetail
