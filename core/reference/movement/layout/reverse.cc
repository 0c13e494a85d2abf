#include "dovetail/core/reference/movement/layout/reverse.h"

#include <cstdint>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/movement/layout/reverse.h"
#include "dovetail/core/ops/movement/layout/reverse_sequence.h"
#include "dovetail/core/reference/common/copy_view.h"

namespace dovetail {
namespace {

// The view with an axis back to front.
StridedView Backwards(StridedView view, int axis) {
  if (view.shape[axis] < 2) return view;
  view.offset += (view.shape[axis] - 1) * view.strides[axis];
  view.strides[axis] = -view.strides[axis];
  return view;
}

}  // namespace

absl::Status ReverseKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& axes = context.input(1);
  const bool by_mask =
      context.attributes<ReverseAttributes>().mode == ReverseMode::kMask;
  StridedView view = PackedView(data.shape());
  for (int64_t i = 0; i < axes.element_count(); ++i) {
    const int64_t element = axes.ElementAsInt64(i);
    if (by_mask && element == 0) continue;
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis, NormalizeAxis(by_mask ? i : element, data.rank()));
    view = Backwards(std::move(view), axis);
  }
  return CopyToOutput(context, data, view);
}

absl::Status ReverseSequenceKernel(KernelContext& context) {
  const auto& attributes = context.attributes<ReverseSequenceAttributes>();
  const Tensor& data = context.input(0);
  DOVETAIL_ASSIGN_OR_RETURN(const int batch_axis,
                            NormalizeAxis(attributes.batch_axis, data.rank()));
  DOVETAIL_ASSIGN_OR_RETURN(const int sequence_axis,
                            NormalizeAxis(attributes.seq_axis, data.rank()));
  const Tensor& output = context.output(0);
  DOVETAIL_RETURN_IF_ERROR(CopyElements(context, data, output));
  const StridedView whole = PackedView(data.shape());
  const int64_t most = data.shape()[sequence_axis];
  for (int64_t batch = 0; batch < data.shape()[batch_axis]; ++batch) {
    const int64_t length = context.input(1).ElementAsInt64(batch);
    if (length < 0 || length > most) {
      return context.Error("input 1, the lengths, has ", length, " at ", batch,
                           ", want 0 to ", most, ", the extent of seq_axis");
    }
    const StridedView run = Narrowed(Narrowed(whole, batch_axis, batch, 1),
                                     sequence_axis, 0, length);
    DOVETAIL_RETURN_IF_ERROR(CopyView(
        context, data, Backwards(run, sequence_axis), output, run));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
