#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/axes.h"
#include "dovetail/core/ops/normalization/lrn.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/normalization/normalization.h"

namespace dovetail {
namespace {

// Cost of a power in simple operations.
constexpr int64_t kPowerCost = 60;

// out = the sum over the element and `reach` neighbours at either side along
// `axis`, as far as they are there. A sum over a box is one along each axis.
template <typename T>
void SumNeighbours(const KernelContext& context, const Shape& shape, int axis,
                   int64_t reach, const T* in, T* out) {
  const int64_t extent = shape[axis];
  const int64_t row = shape.Count(axis + 1, shape.rank());
  ParallelLoop(
      context, shape.Count(0, axis + 1),
      row * std::min(extent, 2 * std::min(reach, extent) + 1),
      [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const int64_t place = i % extent, lane = i - place;
          const int64_t first = std::max<int64_t>(place - reach, 0);
          const int64_t last = std::min(place + reach, extent - 1);
          std::copy_n(in + (lane + first) * row, row, out + i * row);
          for (int64_t k = first + 1; k <= last; ++k) {
            const T* const from = in + (lane + k) * row;
            for (int64_t j = 0; j < row; ++j) out[i * row + j] += from[j];
          }
        }
      });
}

// The squares of `data` summed over the window around each element; `spare` is
// scratch memory. Either of the two tensors is the answer.
template <typename T>
Tensor WindowSums(const KernelContext& context, const std::vector<bool>& axes,
                  int64_t reach, Tensor sums, Tensor spare) {
  const Tensor& data = context.input(0);
  const T* const x = data.data<T>();
  T* const squares = sums.mutable_data<T>();
  ParallelLoop(context, data.element_count(), 1,
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) squares[i] = x[i] * x[i];
               });
  for (int axis = 0; axis < data.rank(); ++axis) {
    if (!axes[axis]) continue;
    SumNeighbours(context, data.shape(), axis, reach, sums.data<T>(),
                  spare.mutable_data<T>());
    std::swap(sums, spare);
  }
  return sums;
}

template <typename T>
void DivideByPower(const KernelContext& context, const LrnAttributes& lrn,
                   int axes, const Tensor& sums) {
  const T factor = static_cast<T>(
      lrn.alpha / std::pow(static_cast<double>(lrn.size), axes));
  const T bias = static_cast<T>(lrn.bias), power = static_cast<T>(-lrn.beta);
  const T* const x = context.input(0).data<T>();
  const T* const sum = sums.data<T>();
  T* const out = context.output(0).mutable_data<T>();
  ParallelLoop(context, sums.element_count(), kPowerCost,
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   out[i] = x[i] * std::pow(bias + factor * sum[i], power);
                 }
               });
}

absl::Status Lrn(KernelContext& context) {
  const Tensor& data = context.input(0);
  if (data.element_count() == 0) return absl::OkStatus();
  const auto& attributes = context.attributes<LrnAttributes>();
  const std::vector<bool> axes =
      AxisFlags(ToInt64Vector(context.input(1)), data.rank());
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor sums, Tensor::AllocateUninitialized(data.type(), data.shape()));
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor spare, Tensor::AllocateUninitialized(data.type(), data.shape()));
  return DispatchWideFloat(data.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    // An even size reaches as far as the odd one below it.
    sums = WindowSums<T>(context, axes, (attributes.size - 1) / 2, sums, spare);
    const auto count = std::count(axes.begin(), axes.end(), true);
    DivideByPower<T>(context, attributes, static_cast<int>(count), sums);
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status LrnKernel(KernelContext& context) {
  // Input 1 is of an integer type, which the wide types leave alone.
  return WithWideTypes(context, 0, &Lrn);
}

}  // namespace dovetail
