// Reverse: axes back to front.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_REVERSE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_REVERSE_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class ReverseMode {
  kIndex,  // the axes are listed
  kMask,   // one boolean an axis
};
absl::Span<const EnumName> EnumNames(ReverseMode);

struct ReverseAttributes : public AttributesOf<ReverseAttributes> {
  ReverseMode mode = ReverseMode::kIndex;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("mode", mode);
  }
};

// Inputs: data, axes (a vector).
absl::Status InferReverse(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_REVERSE_H_
