// TopK: the K greatest or least elements along an axis, and where they are.
#ifndef DOVETAIL_CORE_OPS_INDEXING_ORDERING_TOP_K_H_
#define DOVETAIL_CORE_OPS_INDEXING_ORDERING_TOP_K_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class TopKMode { kMax, kMin };
absl::Span<const EnumName> EnumNames(TopKMode);

// The order of the output: any, by index, by value.
enum class TopKSort { kNone, kIndex, kValue };
absl::Span<const EnumName> EnumNames(TopKSort);

struct TopKAttributes : public AttributesOf<TopKAttributes> {
  int64_t axis = 0;  // counted from the end when negative
  TopKMode mode = TopKMode::kMax;
  TopKSort sort = TopKSort::kNone;
  ElementType index_element_type = ElementType::kI32;  // or i64
  // Whether equal elements stay in order. They always do here.
  bool stable = false;
  bool has_stable = true;  // since version 11
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
    visitor.Visit("mode", mode);
    visitor.Visit("sort", sort);
    visitor.Visit("index_element_type", index_element_type);
    if (has_stable) visitor.Visit("stable", stable);
  }
};

// Attributes of versions 1 and 3.
std::unique_ptr<Attributes> MakeTopK1Attributes();

// Inputs: data, K (a scalar). Outputs: values, indices.
absl::Status InferTopK(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_ORDERING_TOP_K_H_
