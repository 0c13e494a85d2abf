// Unique: what differs among elements or slices.
#ifndef DOVETAIL_CORE_OPS_INDEXING_ORDERING_UNIQUE_H_
#define DOVETAIL_CORE_OPS_INDEXING_ORDERING_UNIQUE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Both types i32 or i64.
struct UniqueAttributes : public AttributesOf<UniqueAttributes> {
  bool sorted = true;  // else in order of first appearance
  ElementType index_element_type = ElementType::kI64;
  ElementType count_element_type = ElementType::kI64;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("sorted", sorted);
    visitor.Visit("index_element_type", index_element_type);
    visitor.Visit("count_element_type", count_element_type);
  }
};

// Inputs: data, axis (one element, optional: without it, of all elements).
// Outputs: the unique elements or slices; for each of them, where it is first;
// for each of the input, which of the unique ones it is; how often each is
// there.
absl::Status InferUnique(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_ORDERING_UNIQUE_H_
