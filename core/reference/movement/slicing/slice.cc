#include "dovetail/core/reference/movement/slicing/slice.h"

#include <cstdint>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/movement/slicing/slice.h"
#include "dovetail/core/ops/movement/slicing/strided_slice.h"
#include "dovetail/core/reference/common/copy_view.h"

namespace dovetail {
namespace {

// The elements of an optional list.
std::vector<int64_t> ListOf(const KernelContext& context, int input) {
  return context.has_input(input) ? ToInt64Vector(context.input(input))
                                  : std::vector<int64_t>();
}

// The part of `shape` that the four inputs from `first` on select.
absl::StatusOr<StridedView> Selected(const KernelContext& context,
                                     const Shape& shape, int first) {
  return SelectSlices(shape, ListOf(context, first), ListOf(context, first + 1),
                      ListOf(context, first + 2), ListOf(context, first + 3));
}

}  // namespace

absl::Status StridedSliceKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  DOVETAIL_ASSIGN_OR_RETURN(
      const StridedView view,
      SelectStridedSlice(context.attributes<StridedSliceAttributes>(),
                         data.shape(), ListOf(context, 1), ListOf(context, 2),
                         ListOf(context, 3)));
  return CopyToOutput(context, data, view);
}

absl::Status SliceKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  DOVETAIL_ASSIGN_OR_RETURN(const StridedView view,
                            Selected(context, data.shape(), 1));
  return CopyToOutput(context, data, view);
}

absl::Status SliceScatterKernel(KernelContext& context) {
  const Tensor& updates = context.input(1);
  const Tensor& output = context.output(0);
  DOVETAIL_RETURN_IF_ERROR(CopyElements(context, context.input(0), output));
  DOVETAIL_ASSIGN_OR_RETURN(const StridedView view,
                            Selected(context, output.shape(), 2));
  return CopyView(context, updates, PackedView(updates.shape()), output, view);
}

}  // namespace dovetail
