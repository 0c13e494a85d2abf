#include "dovetail/core/ops/linear/grouped_matmul.h"

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

absl::Status CheckTypes(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, {0, 1, 3}).status());
  if (!context.has_input(2)) return absl::OkStatus();
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 2));
  return RequireRank(context, 2, 1);
}

// Number of groups of two-dimensional data.
absl::StatusOr<Dimension> GroupsByEnds(const InferContext& context) {
  if (!context.has_input(2)) {
    return context.Error("data of shape ", context.shape(0).ToString(),
                         " wants input 2, the ends of the groups");
  }
  const PartialShape& ends = context.shape(2);
  return ends.rank_known() ? ends[0] : Dimension();
}

absl::StatusOr<PartialShape> InferShape(const InferContext& context) {
  const PartialShape& a = context.shape(0);
  const PartialShape& b = context.shape(1);
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 0, a.rank() - 1, 1, b.rank() - 1, "K")
          .status());
  if (a.rank() == 3) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Dimension groups,
        RequireSameDimension(context, 0, 0, 1, 0, "the number of groups"));
    return PartialShape{groups, a[1], b[1]};
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension groups, GroupsByEnds(context));
  if (b.rank() == 2) return PartialShape{groups, a[0], b[0]};
  if (!groups.Compatible(b[0])) {
    return context.Error("input 2 has ", groups.ToString(),
                         " ends of groups, want ", b[0].ToString(),
                         " as input 1 has shape ", b.ToString());
  }
  return PartialShape{a[0], b[1]};
}

// The bias has a row of N elements for each group.
absl::Status CheckBias(const InferContext& context) {
  if (!context.has_input(3)) return absl::OkStatus();
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 3, 2));
  const PartialShape& bias = context.shape(3);
  const PartialShape& b = context.shape(1);
  if (!bias.rank_known()) return absl::OkStatus();
  if (b.rank() == 3) {
    DOVETAIL_RETURN_IF_ERROR(
        RequireSameDimension(context, 3, 0, 1, 0, "the number of groups")
            .status());
  } else if (context.shape(2).rank_known()) {
    DOVETAIL_RETURN_IF_ERROR(
        RequireSameDimension(context, 3, 0, 2, 0, "the number of groups")
            .status());
  }
  return RequireSameDimension(context, 3, 1, 1, b.rank() - 2, "N").status();
}

}  // namespace

absl::Status InferGroupedMatMul(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckTypes(context));
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 0, 2, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 1, 2, 3));
  PartialShape output;
  if (context.shape(0).rank_known() && context.shape(1).rank_known()) {
    if (context.shape(0).rank() > context.shape(1).rank()) {
      return context.Error("input 0 has shape ", context.shape(0).ToString(),
                           ", want rank 2 for input 1 of shape ",
                           context.shape(1).ToString());
    }
    DOVETAIL_ASSIGN_OR_RETURN(output, InferShape(context));
    DOVETAIL_RETURN_IF_ERROR(CheckBias(context));
  }
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
