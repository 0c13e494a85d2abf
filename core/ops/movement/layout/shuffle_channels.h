// ShuffleChannels: groups of channels, one of each group in turn.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_SHUFFLE_CHANNELS_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_SHUFFLE_CHANNELS_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct ShuffleChannelsAttributes
    : public AttributesOf<ShuffleChannelsAttributes> {
  int64_t axis = 1;   // counted from the end when negative
  int64_t group = 1;  // divides the extent of the axis
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
    visitor.Visit("group", group);
  }
};

absl::Status InferShuffleChannels(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_SHUFFLE_CHANNELS_H_
