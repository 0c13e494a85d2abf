#include "dovetail/core/ops/normalization/batch_norm.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

absl::Status CheckEpsilon(const InferContext& context, double epsilon) {
  if (epsilon >= 0) return absl::OkStatus();
  return context.Error("attribute 'epsilon' is ", epsilon,
                       ", want at least 0");
}

// Output 0 is like input `data`, [N, C, …]; `parameters` are of its type and
// have one element a channel each. What any of them knows of C holds for all.
absl::Status InferPerChannel(InferContext& context, int data,
                             absl::Span<const int> parameters) {
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, data, 2));
  PartialShape shape = context.shape(data);
  for (int input : parameters) {
    DOVETAIL_RETURN_IF_ERROR(
        RequireSameType(context, {data, input}).status());
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, input, 1));
    const PartialShape& channels = context.shape(input);
    if (!shape.rank_known() || !channels.rank_known()) continue;
    const std::optional<Dimension> both = Intersect(shape[1], channels[0]);
    if (!both.has_value()) {
      return context.Error("input ", input, " has ", channels[0].ToString(),
                           " elements, want one for each of ",
                           shape[1].ToString(), " channels");
    }
    shape[1] = *both;
  }
  context.SetOutput(0, context.type(data), std::move(shape));
  return absl::OkStatus();
}

}  // namespace

BatchNormInputs BatchNormInputsOf(const OpInfo& op) {
  return op.version == 0 ? BatchNormInputs{2, 0, 1, 3, 4}
                         : BatchNormInputs{0, 1, 2, 3, 4};
}

absl::Status InferBatchNorm(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckEpsilon(
      context, context.attributes<BatchNormAttributes>().epsilon));
  const BatchNormInputs at = BatchNormInputsOf(context.node().op());
  return InferPerChannel(context, at.data,
                         {at.gamma, at.beta, at.mean, at.variance});
}

absl::Status InferGroupNorm(InferContext& context) {
  const auto& attributes = context.attributes<GroupNormAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckEpsilon(context, attributes.epsilon));
  const int64_t groups = attributes.num_groups;
  if (groups < 1) {
    return context.Error("attribute 'num_groups' is ", groups,
                         ", want at least 1");
  }
  DOVETAIL_RETURN_IF_ERROR(InferPerChannel(context, 0, {1, 2}));
  const PartialShape& shape = context.outputs()[0].shape;
  if (shape.rank_known() && shape[1].is_static() &&
      shape[1].value() % groups != 0) {
    return context.Error("attribute 'num_groups' is ", groups,
                         ", which does not divide ", shape[1].value(),
                         " channels");
  }
  return absl::OkStatus();
}

}  // namespace dovetail
