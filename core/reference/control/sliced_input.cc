#include "dovetail/core/reference/control/sliced_input.h"


namespace dovetail {

absl::StatusOr<SlicedInput> SlicedInput::Make(const KernelContext& context,
                                              const BodyInput& tie) {
  SlicedInput made;
  made.tensor_ = context.input(tie.input);
  made.input_ = tie.input;
  made.parameter_ = tie.parameter;
  made.part_size_ = tie.slicing->part_size;
  const Shape& shape = made.tensor_.shape();
  absl::StatusOr<int> axis = NormalizeAxis(tie.slicing->axis, shape.rank());
  if (!axis.ok()) {
    return context.Error("input ", tie.input, ": ", axis.status().message());
  }
  made.axis_ = *axis;
  absl::StatusOr<Parts> parts = CutIntoParts(*tie.slicing, shape[*axis]);
  if (!parts.ok()) {
    return context.Error("input ", tie.input, ": ", parts.status().message());
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
  absl::StatusOr<Tensor> part = tensor_.Roi(begin, end);
  if (!part.ok()) {
    return Annotate(part.status(), absl::StrCat(context.node().Describe(),
                                                ": input ", input_));
  }
  return part->is_contiguous() ? part : part->Clone();
}

}  // namespace dovetail
