// Bucketize and SearchSorted: where elements belong in a sorted list.
#ifndef DOVETAIL_CORE_OPS_INDEXING_ORDERING_BUCKETIZE_H_
#define DOVETAIL_CORE_OPS_INDEXING_ORDERING_BUCKETIZE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct BucketizeAttributes : public AttributesOf<BucketizeAttributes> {
  ElementType output_type = ElementType::kI64;  // or i32
  bool with_right_bound = true;  // buckets hold their upper bounds
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("output_type", output_type);
    visitor.Visit("with_right_bound", with_right_bound);
  }
};

// Inputs: data, bounds of the buckets (an ascending vector).
absl::Status InferBucketize(InferContext& context);

struct SearchSortedAttributes : public AttributesOf<SearchSortedAttributes> {
  bool right_mode = false;  // after equal elements, else before them
  ElementType output_type = ElementType::kI64;  // or i32
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("right_mode", right_mode);
    visitor.Visit("output_type", output_type);
  }
};

// Inputs: sequences sorted along the last axis (or a single one, a vector),
// values to search in them, whose other axes are the same.
absl::Status InferSearchSorted(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_ORDERING_BUCKETIZE_H_
