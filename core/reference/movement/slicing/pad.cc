#include "dovetail/core/reference/movement/slicing/pad.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/movement/slicing/pad.h"
#include "dovetail/core/reference/common/copy_view.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/whole_bytes.h"
#include "dovetail/core/reference/dispatch.h"

namespace dovetail {
namespace {

absl::Status PadWithConstant(const KernelContext& context,
                             const std::vector<int64_t>& begin) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  DOVETAIL_RETURN_IF_ERROR(FillElements(
      context, context.has_input(3) ? &context.input(3) : nullptr, output));
  // The part of the data that stays, and where it stands in the output.
  StridedView from = PackedView(data.shape());
  StridedView to = PackedView(output.shape());
  for (int axis = 0; axis < data.rank(); ++axis) {
    const int64_t start = std::max<int64_t>(begin[axis], 0);
    const int64_t first = std::max<int64_t>(-begin[axis], 0);
    const int64_t kept = std::max<int64_t>(
        std::min(data.shape()[axis] - first, output.shape()[axis] - start), 0);
    from = Narrowed(std::move(from), axis, first, kept);
    to = Narrowed(std::move(to), axis, start, kept);
  }
  return CopyView(context, data, from, output, to);
}

// The position of an axis of `extent` elements that stands for `at`, which may
// lie outside, as far as inference allows.
int64_t SourceOf(int64_t at, int64_t extent, PadMode mode) {
  if (mode == PadMode::kReflect) {
    at = at < 0 ? -at : at >= extent ? 2 * (extent - 1) - at : at;
  } else if (mode == PadMode::kSymmetric) {
    at = at < 0 ? -at - 1 : at >= extent ? 2 * extent - 1 - at : at;
  }
  return std::clamp<int64_t>(at, 0, extent - 1);
}

// For each axis and each position of the output on it, what that adds to the
// number of the element of the data.
std::vector<std::vector<int64_t>> SourceOffsets(
    const KernelContext& context, const std::vector<int64_t>& begin) {
  const PadMode mode = context.attributes<PadAttributes>().pad_mode;
  const StridedView data = PackedView(context.input(0).shape());
  std::vector<std::vector<int64_t>> offsets(data.rank());
  for (int axis = 0; axis < data.rank(); ++axis) {
    const int64_t extent = context.output(0).shape()[axis];
    for (int64_t i = 0; i < extent; ++i) {
      offsets[axis].push_back(
          SourceOf(i - begin[axis], data.shape[axis], mode) *
          data.strides[axis]);
    }
  }
  return offsets;
}

// Rows [first, last) of the output along its last axis.
template <typename T>
void MirrorRows(const T* data, T* out,
                const std::vector<std::vector<int64_t>>& offsets,
                int64_t first, int64_t last) {
  const std::vector<int64_t>& inner = offsets.back();
  out += first * static_cast<int64_t>(inner.size());
  for (int64_t row = first; row < last; ++row) {
    int64_t rest = row, base = 0;
    for (size_t axis = offsets.size() - 1; axis-- > 0;) {
      const int64_t extent = static_cast<int64_t>(offsets[axis].size());
      base += offsets[axis][rest % extent];
      rest /= extent;
    }
    for (int64_t offset : inner) *out++ = data[base + offset];
  }
}

// Of whole bytes.
absl::Status PadElements(KernelContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  const std::vector<int64_t> begin = ToInt64Vector(context.input(1));
  if (context.attributes<PadAttributes>().pad_mode == PadMode::kConstant) {
    return PadWithConstant(context, begin);
  }
  if (output.element_count() == 0) return absl::OkStatus();
  if (data.rank() == 0) return CopyElements(context, data, output);
  const std::vector<std::vector<int64_t>> offsets =
      SourceOffsets(context, begin);
  const int64_t length = output.shape().back();
  return DispatchBySize(data.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    ParallelLoop(context, output.element_count() / length, length,
                 [&](int64_t first, int64_t last) {
                   MirrorRows(data.data<T>(), output.mutable_data<T>(),
                              offsets, first, last);
                 });
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status PadKernel(KernelContext& context) {
  if (context.input(0).type() != ElementType::kNf4 || context.has_input(3)) {
    return WithWholeBytes(context, &PadElements);
  }
  // The bits of this type's 0 are not 0.
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor zero,
      Tensor::FromDoubles(ElementType::kNf4, Shape(), {0}));
  std::vector<Tensor> inputs(context.inputs().begin(), context.inputs().end());
  inputs.push_back(zero);
  Tensor output = context.output(0);
  KernelContext explicit_zero(context.node(), inputs,
                              absl::MakeSpan(&output, 1),
                              context.environment());
  return WithWholeBytes(explicit_zero, &PadElements);
}

}  // namespace dovetail
