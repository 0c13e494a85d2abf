#include "dovetail/backends/common/program/variables/variable_gather.h"

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

absl::StatusOr<Tensor> Slice(const Tensor& tensor, int axis, int64_t number) {
  Shape begin = Shape::Filled(tensor.rank(), 0), end = tensor.shape();
  begin[axis] = number;
  end[axis] = number + 1;
  return tensor.Roi(begin, end);
}

absl::Status SetToZeros(const Tensor& slice) {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor zeros,
                            Tensor::Allocate(slice.type(), slice.shape()));
  return slice.CopyFrom(zeros);
}

}  // namespace

bool TakesAll(const Tensor& indices, int64_t extent) {
  if (indices.element_count() != extent) return false;
  for (int64_t i = 0; i < extent; ++i) {
    if (indices.ElementAsInt64(i) != i) return false;
  }
  return true;
}

Shape GatheredShape(const VariableGather& gather, const Shape& from,
                    const Tensor& indices) {
  Shape shape = from;
  shape[gather.axis] = indices.element_count();
  return shape;
}

absl::Status GatherSlices(const VariableGather& gather, const Tensor& from,
                          const Tensor& indices, const Tensor& to) {
  const int64_t extent = from.shape()[gather.axis];
  for (int64_t i = 0; i < indices.element_count(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor slice, Slice(to, gather.axis, i));
    int64_t number = indices.ElementAsInt64(i);
    if (number < 0 && gather.from_end) number += extent;
    if (number < 0 || number >= extent) {
      DOVETAIL_RETURN_IF_ERROR(SetToZeros(slice));
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor taken,
                              Slice(from, gather.axis, number));
    DOVETAIL_RETURN_IF_ERROR(slice.CopyFrom(taken));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
