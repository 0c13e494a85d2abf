#include "dovetail/core/ops/indexing/gather/gather_nd.h"

#include <algorithm>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// The output's shape for known ranks and `tuple` coordinates in an index.
absl::StatusOr<PartialShape> GatheredShape(const InferContext& context,
                                           int batch_dims, int64_t tuple) {
  const PartialShape& data = context.shape(0);
  const PartialShape& indices = context.shape(1);
  if (tuple > data.rank() - batch_dims) {
    return context.Error("input 1 of shape ", indices.ToString(), " has ",
                         tuple, " coordinates an index, want at most ",
                         data.rank() - batch_dims, " for input 0 of shape ",
                         data.ToString());
  }
  PartialShape shape = PartialShape::OfRank(0);
  for (int i = 0; i < batch_dims; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Dimension both,
        RequireSameDimension(context, 0, i, 1, i, "batch"));
    shape.push_back(both);
  }
  if (context.node().op().version == 5 && batch_dims > 1) {
    Dimension joined(1);
    for (const Dimension& dim : shape) joined = joined * dim;
    shape = PartialShape{joined};
  }
  for (int i = batch_dims; i < indices.rank() - 1; ++i) {
    shape.push_back(indices[i]);
  }
  for (int i = batch_dims + static_cast<int>(tuple); i < data.rank(); ++i) {
    shape.push_back(data[i]);
  }
  return shape;
}

}  // namespace

absl::Status InferGatherND(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 1, 1));
  const PartialShape& data = context.shape(0);
  const PartialShape& indices = context.shape(1);
  PartialShape shape;
  if (data.rank_known() && indices.rank_known()) {
    const int64_t batch_dims =
        context.attributes<GatherNDAttributes>().batch_dims;
    const int most = std::min(data.rank(), indices.rank());
    if (batch_dims < 0 || batch_dims >= most) {
      return context.Error("batch_dims is ", batch_dims, ", want 0 to ",
                           most - 1, " for inputs of shapes ", data.ToString(),
                           " and ", indices.ToString());
    }
    const Dimension& tuple = indices[indices.rank() - 1];
    if (tuple.is_static()) {
      DOVETAIL_ASSIGN_OR_RETURN(
          shape, GatheredShape(context, static_cast<int>(batch_dims),
                               tuple.value()));
    }
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
