// Broadcast of the shapes of operations on several tensors.
#ifndef DOVETAIL_CORE_OPS_COMMON_BROADCAST_H_
#define DOVETAIL_CORE_OPS_COMMON_BROADCAST_H_

#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

enum class AutoBroadcast {
  kNone,      // the shapes are equal
  kExplicit,  // not for these operations; taken for "none"
  kNumpy,     // aligned at the last axis, extents 1 broadcast, either way
  kPdpd,      // b aligned at a's first axis, and only b broadcasts
};
absl::Span<const EnumName> EnumNames(AutoBroadcast);

// The attributes of Add, Equal, LogicalAnd and so on.
struct BinaryAttributes : public AttributesOf<BinaryAttributes> {
  AutoBroadcast auto_broadcast = AutoBroadcast::kNumpy;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("auto_broadcast", auto_broadcast);
  }
};

// The shape that both have together; nothing when they do not fit.
std::optional<PartialShape> BroadcastBy(AutoBroadcast mode,
                                        const PartialShape& a,
                                        const PartialShape& b);

// The same for two inputs of a node. The error names both shapes.
absl::StatusOr<PartialShape> BroadcastInputs(const InferContext& context,
                                             AutoBroadcast mode, int a, int b);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_COMMON_BROADCAST_H_
