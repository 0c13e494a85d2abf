// NonZero: the coordinates of all elements other than 0.
#ifndef DOVETAIL_CORE_OPS_INDEXING_ORDERING_NON_ZERO_H_
#define DOVETAIL_CORE_OPS_INDEXING_ORDERING_NON_ZERO_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct NonZeroAttributes : public AttributesOf<NonZeroAttributes> {
  ElementType output_type = ElementType::kI64;  // or i32
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("output_type", output_type);
  }
};

// Output [rank of the data, count]; a scalar counts as a vector.
absl::Status InferNonZero(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_ORDERING_NON_ZERO_H_
