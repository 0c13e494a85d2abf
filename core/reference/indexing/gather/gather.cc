#include "dovetail/core/reference/indexing/gather/gather.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/ops/indexing/gather/gather_elements.h"
#include "dovetail/core/ops/indexing/gather/gather_nd.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/indexing/index.h"

namespace dovetail {
namespace {

// Copies `count` runs of `run` elements: run i of the output begins at element
// offsets(i) of the data, or is zero when that is negative.
template <typename OffsetFn>
absl::Status CopyRuns(const KernelContext& context, int64_t count, int64_t run,
                      OffsetFn offset) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  return DispatchBySize(data.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* const from = data.data<T>();
    T* const to = output.mutable_data<T>();
    ParallelLoop(context, count, run + 4, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = offset(i);
        if (first < 0) {
          std::fill_n(to + i * run, run, T());
        } else {
          std::copy_n(from + first, run, to + i * run);
        }
      }
    });
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status GatherKernel(KernelContext& context) {
  const Shape& data = context.input(0).shape();
  const Shape& shape = context.input(1).shape();
  const bool from_end = context.node().op().version >= 8;
  std::vector<int64_t> indices = ToInt64Vector(context.input(1));
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      NormalizeAxis(context.input(2).ElementAsInt64(0), data.rank()));
  const int shared =
      static_cast<int>(BatchDims(context.node(), shape.rank()));
  const int64_t extent = data[axis];
  for (int64_t& index : indices) {
    if (index < 0 && from_end) index += extent;
    if (index < 0 || index >= extent) index = -1;
  }
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const int64_t outer = data.Count(shared, axis);
  const int64_t run = data.Count(axis + 1, data.rank());
  const int64_t count = shape.Count(shared, shape.rank());
  return CopyRuns(context, context.output(0).element_count() / run, run,
                  [&](int64_t i) -> int64_t {
                    const int64_t row = i / count;
                    const int64_t index =
                        indices[row / outer * count + i % count];
                    return index < 0 ? -1 : (row * extent + index) * run;
                  });
}

absl::Status GatherElementsKernel(KernelContext& context) {
  const Shape& data = context.input(0).shape();
  const Shape& shape = context.input(1).shape();
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      NormalizeAxis(context.attributes<GatherElementsAttributes>().axis,
                    data.rank()));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<int64_t> indices,
      CheckedIndices(context, 1, data[axis], /*from_end=*/true));
  const int64_t inner = shape.Count(axis + 1, shape.rank());
  return CopyRuns(context, context.output(0).element_count(), 1,
                  [&](int64_t i) {
                    const int64_t row = i / (inner * shape[axis]);
                    return (row * data[axis] + indices[i]) * inner + i % inner;
                  });
}

absl::Status GatherNDKernel(KernelContext& context) {
  const Shape& data = context.input(0).shape();
  const Shape& shape = context.input(1).shape();
  const int shared =
      static_cast<int>(context.attributes<GatherNDAttributes>().batch_dims);
  const int64_t tuple = shape.back();
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<int64_t> offsets,
                            TupleOffsets(context, 1, data, shared));
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const int64_t batch = data.Count(shared, data.rank());
  const int64_t run =
      data.Count(shared + static_cast<int>(tuple), data.rank());
  const int64_t per_batch = shape.Count(shared, shape.rank() - 1);
  return CopyRuns(
      context, static_cast<int64_t>(offsets.size()), run,
      [&](int64_t i) { return i / per_batch * batch + offsets[i]; });
}

}  // namespace dovetail
