#include "dovetail/core/ops/movement/slicing/slice_scatter.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/movement/slicing/slice.h"

namespace dovetail {

absl::Status InferSliceScatter(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, 0, 1));
  DOVETAIL_ASSIGN_OR_RETURN(const PartialShape slice,
                            InferSlicedShape(context, 2));
  if (!slice.Compatible(context.shape(1))) {
    return context.Error("input 1, the updates, has shape ",
                         context.shape(1).ToString(), ", want ",
                         slice.ToString(), ", the shape of the slice");
  }
  PartialShape shape = context.shape(0);
  // The updates have the rank of the data.
  if (!shape.rank_known() && context.shape(1).rank_known()) {
    shape = PartialShape::OfRank(context.shape(1).rank());
  }
  context.SetOutput(0, type, std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
