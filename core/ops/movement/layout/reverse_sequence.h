// ReverseSequence: the first elements of each batch's sequence back to front.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_REVERSE_SEQUENCE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_REVERSE_SEQUENCE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Axes count from the end when negative.
struct ReverseSequenceAttributes
    : public AttributesOf<ReverseSequenceAttributes> {
  int64_t batch_axis = 0;
  int64_t seq_axis = 1;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("batch_axis", batch_axis);
    visitor.Visit("seq_axis", seq_axis);
  }
};

// Inputs: data, and the number of elements to reverse of each batch.
absl::Status InferReverseSequence(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_REVERSE_SEQUENCE_H_
