// Broadcast of data to a shape.
#ifndef DOVETAIL_CORE_OPS_SHAPE_QUERY_BROADCAST_H_
#define DOVETAIL_CORE_OPS_SHAPE_QUERY_BROADCAST_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

enum class BroadcastMode {
  kNumpy,          // aligned at the last axis
  kExplicit,       // aligned as the input axes_mapping says
  kPdpd,           // aligned at the first axis
  kBidirectional,  // as numpy, and the target broadcasts, too
};
absl::Span<const EnumName> EnumNames(BroadcastMode);

struct BroadcastAttributes : public AttributesOf<BroadcastAttributes> {
  BroadcastMode mode = BroadcastMode::kNumpy;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("mode", mode);
  }
};

// The elements of `data` in the shape `target`, where axis i of the data is
// axis axes[i] of the target and has its extent or 1.
StridedView BroadcastView(const StridedView& data, const Shape& target,
                          absl::Span<const int> axes);
// The axes of BroadcastView: axis i of the data is first + i.
std::vector<int> ConsecutiveAxes(int first, int count);

// Inputs: data, target shape, axes_mapping (ascending; mode explicit only).
absl::Status InferBroadcast(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_SHAPE_QUERY_BROADCAST_H_
