#include "dovetail/core/ops/movement/layout/shuffle_channels.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

absl::Status InferShuffleChannels(InferContext& context) {
  const auto& attributes = context.attributes<ShuffleChannelsAttributes>();
  const PartialShape& data = context.shape(0);
  if (attributes.group < 1) {
    return context.Error("group is ", attributes.group, ", want 1 or more");
  }
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  if (data.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis, CheckedAxis(context, attributes.axis, data.rank()));
    const Dimension& channels = data[axis];
    if (channels.is_static() && channels.value() % attributes.group != 0) {
      return context.Error("input 0 of shape ", data.ToString(), " has ",
                           channels.value(), " on axis ", axis,
                           ", which group = ", attributes.group,
                           " does not divide");
    }
  }
  context.SetOutput(0, context.type(0), data);
  return absl::OkStatus();
}

}  // namespace dovetail
