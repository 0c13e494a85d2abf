// OneHot: for each index a vector with one element set.
#ifndef DOVETAIL_CORE_OPS_INDEXING_ORDERING_ONE_HOT_H_
#define DOVETAIL_CORE_OPS_INDEXING_ORDERING_ONE_HOT_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class NegativeIndices {
  kIgnore,     // no element is set
  kNormalize,  // count from the end
};
absl::Span<const EnumName> EnumNames(NegativeIndices);

struct OneHotAttributes : public AttributesOf<OneHotAttributes> {
  int64_t axis = 0;  // of the output; counted from the end when negative
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
  }
};

struct OneHot16Attributes : public AttributesOf<OneHot16Attributes> {
  int64_t axis = 0;
  NegativeIndices negative_indices_mode = NegativeIndices::kIgnore;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
    visitor.Visit("negative_indices_mode", negative_indices_mode);
  }
};

// The axis of a OneHot of either version.
int64_t OneHotAxis(const Node& node);

// Inputs: indices, depth, on_value, off_value (the last three scalars).
absl::Status InferOneHot(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_ORDERING_ONE_HOT_H_
