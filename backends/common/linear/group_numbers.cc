#include "dovetail/backends/common/linear/group_numbers.h"

#include <algorithm>

#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/backends/common/linear/matrix_shapes.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// The axes of the stored constant: of groups (or -1), and of columns.
struct Axes {
  int group, column;
};
Axes AxesOf(const CompressedWeights& weights, int rank, bool transposed) {
  const int parts = weights.is_grouped ? 2 : 1;
  if (transposed) return {parts == 2 ? rank - 2 : -1, rank - 1 - parts};
  return {parts == 2 ? rank - 3 : -1, rank - 1};
}

// By how many elements a constant moves along an axis of the tensor of `rank`
// axes that it broadcasts to.
int64_t StrideAlong(const Tensor& constant, int axis, int rank) {
  const int own = axis - (rank - constant.rank());
  if (axis < 0 || own < 0 || constant.shape()[own] == 1) return 0;
  return DenseStrides(constant.shape())[own];
}

// The numbers of a scale or zero point plus `offset`; without one, `otherwise`.
absl::StatusOr<Tensor> NumbersOf(Value value, float otherwise, float offset) {
  Tensor numbers;
  if (!value) {
    DOVETAIL_ASSIGN_OR_RETURN(
        numbers, Tensor::FromValues<float>(Shape{1}, {otherwise + offset}));
    return numbers;
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      numbers,
      ConvertTensor(*PlanBuilderBase::ConstantOf(value), ElementType::kF32));
  if (offset == 0) return numbers;
  for (float& number : numbers.mutable_span<float>()) number += offset;
  return numbers;
}

absl::StatusOr<GroupNumbers> Find(const CompressedWeights& weights,
                                  bool transposed, Value value, float otherwise,
                                  float offset) {
  GroupNumbers found;
  DOVETAIL_ASSIGN_OR_RETURN(found.numbers, NumbersOf(value, otherwise, offset));
  const int rank =
      PlanBuilderBase::PackableConstantOf(weights.constant)->rank();
  const Axes axes = AxesOf(weights, rank, transposed);
  found.group_stride = StrideAlong(found.numbers, axes.group, rank);
  found.column_stride = StrideAlong(found.numbers, axes.column, rank);
  return found;
}

}  // namespace

bool GroupNumbers::AreEqual() const {
  const auto all = numbers.span<float>();
  return std::all_of(all.begin(), all.end(),
                     [&](float number) { return number == all[0]; });
}

absl::StatusOr<GroupNumbers> ScalesOf(const CompressedWeights& weights,
                                      bool transposed) {
  return Find(weights, transposed, weights.scale, 1, 0);
}

absl::StatusOr<GroupNumbers> ZeroPointsOf(const CompressedWeights& weights,
                                          bool transposed, float offset) {
  return Find(weights, transposed, weights.zero_point, 0, offset);
}

}  // namespace dovetail
