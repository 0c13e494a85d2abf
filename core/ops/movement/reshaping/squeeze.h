// Squeeze: drops axes of extent 1.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_SQUEEZE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_SQUEEZE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Attributes of version 15; version 0 has none.
struct SqueezeAttributes : public AttributesOf<SqueezeAttributes> {
  // Whether an axis of unknown extent may turn out to stay: its rank is then
  // unknown until it runs.
  bool allow_axis_skip = false;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("allow_axis_skip", allow_axis_skip);
  }
};

// Inputs: data, and the axes to drop (optional; without them, all of extent 1).
// Axes in the list whose extent is not 1 stay.
absl::Status InferSqueeze(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_SQUEEZE_H_
