#include "dovetail/core/preprocess/value_steps.h"

#include <cstdint>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {
namespace {

absl::StatusOr<Shape> ShapeByChannel(size_t count, Value data,
                                     const StepContext& context) {
  if (count == 1) return Shape();
  DOVETAIL_ASSIGN_OR_RETURN(const int axis, context.Axis("C"));
  const auto channels = static_cast<int64_t>(count);
  if (!data.shape()[axis].Contains(channels)) {
    return InvalidArgument(count, " numbers for ",
                           data.shape()[axis].ToString(), " channels");
  }
  Shape shape = Shape::Filled(data.shape().rank(), 1);
  shape[axis] = channels;
  return shape;
}

}  // namespace

absl::Status ConvertElementType(ElementType to, StepContext& context) {
  const ElementType type =
      to == ElementType::kDynamic ? context.target_type : to;
  if (type == ElementType::kDynamic) return absl::OkStatus();
  for (Value& plane : context.planes) {
    DOVETAIL_ASSIGN_OR_RETURN(plane, context.Convert(plane, type));
  }
  return absl::OkStatus();
}

absl::Status ApplyByChannel(OpType operation, const std::vector<double>& values,
                            StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  if (!IsFloat(data.type())) {
    return InvalidArgument("the tensor is of ", ElementTypeName(data.type()),
                           "; convert_element_type has to come before");
  }
  if (values.empty()) return InvalidArgument("no numbers");
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                            ShapeByChannel(values.size(), data, context));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                            Tensor::FromDoubles(data.type(), shape, values));
  DOVETAIL_ASSIGN_OR_RETURN(const Value numbers, context.Constant(tensor));
  DOVETAIL_ASSIGN_OR_RETURN(const Value result,
                            context.Make(operation, {data, numbers}));
  context.Set(result);
  return absl::OkStatus();
}

}  // namespace dovetail
