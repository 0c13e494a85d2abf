#include "dovetail/core/ops/linear/matmul.h"

#include <algorithm>
#include <optional>

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// The last two axes of an input after transposition; a vector has one.
struct MatrixDims {
  std::optional<Dimension> outer;  // m or n
  Dimension inner;                 // k
};

MatrixDims DimsOf(const PartialShape& shape, bool inner_first) {
  const int rank = shape.rank();
  if (rank == 1) return {std::nullopt, shape[0]};
  if (inner_first) return {shape[rank - 1], shape[rank - 2]};
  return {shape[rank - 2], shape[rank - 1]};
}

// All axes but the last two.
PartialShape Leading(const PartialShape& shape) {
  return PartialShape(std::vector<Dimension>(
      shape.begin(), shape.end() - std::min(shape.rank(), 2)));
}

}  // namespace

absl::Status InferMatMul(InferContext& context) {
  const auto& attributes = context.attributes<MatMulAttributes>();
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, 0, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 1, 1));
  const PartialShape& a = context.shape(0);
  const PartialShape& b = context.shape(1);
  if (!a.rank_known() || !b.rank_known()) {
    context.SetOutput(0, type, PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  const MatrixDims left = DimsOf(a, attributes.transpose_a);
  const MatrixDims right = DimsOf(b, !attributes.transpose_b);
  if (!left.inner.Compatible(right.inner)) {
    return context.Error("shapes ", a.ToString(),
                         attributes.transpose_a ? " (transposed)" : "", " and ",
                         b.ToString(),
                         attributes.transpose_b ? " (transposed)" : "",
                         " do not multiply: ", left.inner.ToString(),
                         " columns and ", right.inner.ToString(), " rows");
  }
  std::optional<PartialShape> output = BroadcastNumpy(Leading(a), Leading(b));
  if (!output.has_value()) {
    return context.Error("the leading axes of shapes ", a.ToString(), " and ",
                         b.ToString(), " do not broadcast");
  }
  if (left.outer.has_value()) output->push_back(*left.outer);
  if (right.outer.has_value()) output->push_back(*right.outer);
  context.SetOutput(0, type, *std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
