#include "dovetail/core/reference/control/sliced_input.h"

#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/reference/common/copy_view.h"
#include "dovetail/core/reference/common/whole_bytes.h"

namespace dovetail {

absl::StatusOr<SlicedInput> SlicedInput::Make(const KernelContext& context,
                                              const BodyInput& binding) {
  SlicedInput made;
  made.type_ = context.input(binding.input).type();
  DOVETAIL_ASSIGN_OR_RETURN(made.tensor_,
                            UnpackBits(context.input(binding.input)));
  made.parameter_ = binding.parameter;
  made.part_size_ = binding.slicing->part_size;
  const Shape& shape = made.tensor_.shape();
  absl::StatusOr<int> axis = NormalizeAxis(binding.slicing->axis, shape.rank());
  if (!axis.ok()) {
    return context.Error("input ", binding.input, ": ",
                         axis.status().message());
  }
  made.axis_ = *axis;
  absl::StatusOr<Parts> parts = CutIntoParts(*binding.slicing, shape[*axis]);
  if (!parts.ok()) {
    return context.Error("input ", binding.input, ": ",
                         parts.status().message());
  }
  made.parts_ = *parts;
  return made;
}

absl::StatusOr<Tensor> SlicedInput::Part(const KernelContext& context,
                                         int64_t iteration) const {
  const Shape& shape = tensor_.shape();
  Shape begin = Shape::Filled(shape.rank(), 0), end = shape;
  begin[axis_] = parts_.first + iteration * parts_.step;
  end[axis_] = begin[axis_] + part_size_;
  if (tensor_.type() == type_ && shape.Count(0, axis_) == 1) {
    return tensor_.Roi(begin, end);
  }
  const StridedView box =
      Narrowed(PackedView(shape), axis_, begin[axis_], part_size_);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor part, Tensor::Allocate(tensor_.type(), box.shape));
  DOVETAIL_RETURN_IF_ERROR(
      CopyView(context, tensor_, box, part, PackedView(box.shape)));
  return PackBits(part, type_);
}

}  // namespace dovetail
