#include "dovetail/core/reference/image/resize/resample.h"

#include <algorithm>

#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"

namespace dovetail {
namespace {

// One pass over data [outer, taps, inner].
template <typename T>
struct Pass {
  const T* data;
  T* result;
  int64_t extent;  // of the axis in data
  int64_t inner;
  const AxisTaps& taps;
  std::vector<T> weights;  // those of `taps`

  // Output rows of `inner` elements, where they are worth a loop of their own.
  void Rows(int64_t begin, int64_t end) const {
    const int64_t count = taps.output();
    for (int64_t row = begin; row < end; ++row) {
      const T* in = data + row / count * extent * inner;
      T* __restrict out = result + row * inner;
      const int64_t o = row % count;
      std::fill(out, out + inner, T{0});
      for (int64_t t = taps.first[o]; t < taps.first[o + 1]; ++t) {
        const T* __restrict source = in + taps.indices[t] * inner;
        const T weight = weights[t];
        for (int64_t i = 0; i < inner; ++i) out[i] += weight * source[i];
      }
    }
  }

  // Lines of the axis itself, for inner == 1.
  void Lines(int64_t begin, int64_t end) const {
    const int64_t count = taps.output();
    for (int64_t line = begin; line < end; ++line) {
      const T* in = data + line * extent;
      T* out = result + line * count;
      for (int64_t o = 0; o < count; ++o) {
        T sum{0};
        for (int64_t t = taps.first[o]; t < taps.first[o + 1]; ++t) {
          sum += weights[t] * in[taps.indices[t]];
        }
        out[o] = sum;
      }
    }
  }
};

// Element numbers of the input for the positions of one output axis, in steps
// of the axis' stride; -1 for those in the padding.
std::vector<int64_t> OffsetsOf(const AxisTaps& taps, int64_t stride) {
  std::vector<int64_t> offsets(taps.output(), -1);
  for (int64_t o = 0; o < taps.output(); ++o) {
    if (taps.first[o] < taps.first[o + 1]) {
      offsets[o] = taps.indices[taps.first[o]] * stride;
    }
  }
  return offsets;
}

// The plan of PickNearest: blocks of `inner` elements lie side by side, the
// last of `offsets` walks along a row of them.
struct NearestPlan {
  int64_t inner = 1;
  std::vector<std::vector<int64_t>> offsets;

  int64_t row_length() const {
    return static_cast<int64_t>(offsets.back().size());
  }
  // Where row number `row` begins in the input; -1 when it is padding.
  int64_t RowOffset(int64_t row) const {
    int64_t sum = 0;
    for (int axis = static_cast<int>(offsets.size()) - 2; axis >= 0; --axis) {
      const int64_t extent = static_cast<int64_t>(offsets[axis].size());
      const int64_t offset = offsets[axis][row % extent];
      if (offset < 0) return -1;
      sum += offset;
      row /= extent;
    }
    return sum;
  }
};

NearestPlan PlanNearest(const Shape& data, const std::vector<AxisTaps>& axes) {
  NearestPlan plan;
  int last = data.rank() - 1;
  while (last > 0 && axes[last].IsIdentity(data[last])) {
    plan.inner *= data[last--];
  }
  for (int axis = 0; axis <= last; ++axis) {
    plan.offsets.push_back(
        OffsetsOf(axes[axis], data.Count(axis + 1, data.rank())));
  }
  return plan;
}

template <typename T>
void PickRow(const NearestPlan& plan, const T* data, int64_t row, T* out) {
  const int64_t begin = plan.RowOffset(row);
  const int64_t inner = plan.inner;
  if (begin < 0) {
    std::fill(out, out + plan.row_length() * inner, T{});
  } else if (inner == 1) {
    for (int64_t offset : plan.offsets.back()) {
      *out++ = offset < 0 ? T{} : data[begin + offset];
    }
  } else {
    for (int64_t offset : plan.offsets.back()) {
      if (offset < 0) {
        std::fill(out, out + inner, T{});
      } else {
        std::copy_n(data + begin + offset, inner, out);
      }
      out += inner;
    }
  }
}

}  // namespace

absl::Status ResampleAxis(const KernelContext& context, const Tensor& data,
                          int axis, const AxisTaps& taps,
                          const Tensor& result) {
  const Shape& shape = result.shape();
  const int64_t inner = shape.Count(axis + 1, shape.rank());
  const int64_t outer = shape.Count(0, axis);
  const int64_t taps_an_element =
      1 + static_cast<int64_t>(taps.indices.size()) / taps.output();
  return DispatchWideFloat(data.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Pass<T> pass{
        data.data<T>(), result.mutable_data<T>(), data.shape()[axis], inner,
        taps, std::vector<T>(taps.weights.begin(), taps.weights.end())};
    if (inner == 1) {
      ParallelLoop(
          context, outer, shape[axis] * taps_an_element * 2,
          [&](int64_t begin, int64_t end) { pass.Lines(begin, end); });
    } else {
      ParallelLoop(
          context, outer * shape[axis], inner * taps_an_element,
          [&](int64_t begin, int64_t end) { pass.Rows(begin, end); });
    }
    return absl::OkStatus();
  });
}

absl::Status PickNearest(KernelContext& context,
                         const std::vector<AxisTaps>& axes) {
  const Tensor& output = context.output(0);
  const NearestPlan plan = PlanNearest(context.input(0).shape(), axes);
  const int64_t row_elements = plan.row_length() * plan.inner;
  return DispatchBySize(output.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* data = static_cast<const T*>(context.input(0).raw_data());
    T* out = static_cast<T*>(output.mutable_raw_data());
    ParallelLoop(context, output.element_count() / row_elements, row_elements,
                 [&](int64_t begin, int64_t end) {
                   for (int64_t row = begin; row < end; ++row) {
                     PickRow(plan, data, row, out + row * row_elements);
                   }
                 });
    return absl::OkStatus();
  });
}

}  // namespace dovetail
