// Split and VariadicSplit: parts of an input along an axis.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_JOINING_SPLIT_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_JOINING_SPLIT_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct SplitAttributes : public AttributesOf<SplitAttributes> {
  int64_t num_splits = 0;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("num_splits", num_splits);
  }
};

// A model cannot have an operation with more outputs than this.
inline constexpr int64_t kMaxSplits = 1 << 16;

// Inputs: data, axis (a scalar). Outputs: num_splits parts of equal extent.
absl::Status InferSplit(InferContext& context);

// Inputs: data, axis, and the extents of the parts, one of which may be -1:
// whatever is left. Outputs: one an extent.
absl::Status InferVariadicSplit(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_JOINING_SPLIT_H_
