#include "dovetail/backends/common/kernels/indexing/non_zero.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/ops/indexing/ordering/non_zero.h"
#include "dovetail/core/reference/dispatch.h"

namespace dovetail {
namespace {

// What is worth handing to a thread.
constexpr int64_t kElementsAtATime = 1 << 15;

// Rows of the last axis, as many in each part but the last.
struct Rows {
  Rows(const Shape& shape)
      : length(shape[shape.rank() - 1]),
        all(length == 0 ? 0 : shape.Count(0, shape.rank() - 1)),
        a_part(std::max<int64_t>(
            1, kElementsAtATime / std::max<int64_t>(1, length))),
        parts(CeilDivide(all, a_part)) {}

  int64_t begin(int64_t part) const { return part * a_part; }
  int64_t end(int64_t part) const {
    return std::min(all, begin(part) + a_part);
  }

  int64_t length, all, a_part, parts;
};

template <typename T>
int64_t CountIn(const T* elements, int64_t count) {
  int64_t found = 0;
  for (int64_t i = 0; i < count; ++i) found += elements[i] != T(0) ? 1 : 0;
  return found;
}

// The coordinates of a row along all axes but the last.
std::vector<int64_t> CoordinatesOf(const Shape& shape, int64_t row) {
  std::vector<int64_t> at(shape.rank() - 1);
  for (int axis = shape.rank() - 2; axis >= 0; --axis) {
    at[axis] = row % shape[axis];
    row /= shape[axis];
  }
  return at;
}

void Advance(const Shape& shape, std::vector<int64_t>& at) {
  for (int axis = shape.rank() - 2; axis >= 0; --axis) {
    if (++at[axis] < shape[axis]) return;
    at[axis] = 0;
  }
}

// The coordinates of what is not zero in some rows, to out[axis][`first` …],
// where an axis has `all` of them.
template <typename T, typename Index>
void WriteRows(const Shape& shape, const T* elements, int64_t begin,
               int64_t end, int64_t first, int64_t all, Index* out) {
  const int last = shape.rank() - 1;
  const int64_t length = shape[last];
  std::vector<int64_t> at = CoordinatesOf(shape, begin);
  for (int64_t row = begin; row < end; ++row, Advance(shape, at)) {
    const T* const x = elements + row * length;
    const int64_t before = first;
    for (int64_t i = 0; i < length; ++i) {
      if (x[i] != T(0)) out[last * all + first++] = static_cast<Index>(i);
    }
    for (int axis = 0; axis < last; ++axis) {
      std::fill(out + axis * all + before, out + axis * all + first,
                static_cast<Index>(at[axis]));
    }
  }
}

template <typename T>
absl::Status Find(KernelContext& context, const Shape& shape) {
  const T* const elements = context.input(0).data<T>();
  const Rows rows(shape);
  // How many there are before each part, at last.
  std::vector<int64_t> before(rows.parts + 1, 0);
  ParallelFor(
      context.executor(), rows.parts, 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          before[i + 1] = CountIn(elements + rows.begin(i) * rows.length,
                                  (rows.end(i) - rows.begin(i)) * rows.length);
        }
      });
  for (int64_t i = 0; i < rows.parts; ++i) before[i + 1] += before[i];
  const int64_t all = before[rows.parts];
  const ElementType type = context.attributes<NonZeroAttributes>().output_type;
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(0, type, Shape{shape.rank(), all}));
  return DispatchIndex(type, context, [&](auto tag) {
    auto* const out =
        context.output(0).template mutable_data<typename decltype(tag)::type>();
    ParallelFor(context.executor(), rows.parts, 1,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    WriteRows(shape, elements, rows.begin(i), rows.end(i),
                              before[i], all, out);
                  }
                });
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status HostNonZero(KernelContext& context) {
  const Tensor& data = context.input(0);
  const Shape shape = data.rank() == 0 ? Shape{1} : data.shape();
  if (data.type() == ElementType::kBoolean) {
    return Find<uint8_t>(context, shape);
  }
  return DispatchNumeric(data.type(), context, [&](auto tag) {
    return Find<typename decltype(tag)::type>(context, shape);
  });
}

}  // namespace dovetail
