// Range: numbers at equal distances.
#ifndef DOVETAIL_CORE_OPS_SHAPE_QUERY_RANGE_H_
#define DOVETAIL_CORE_OPS_SHAPE_QUERY_RANGE_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Of version 4; version 0 has none and gives the inputs' type.
struct RangeAttributes : public AttributesOf<RangeAttributes> {
  ElementType output_type = ElementType::kF32;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("output_type", output_type);
  }
};

// How many numbers there are from start to before stop. Nothing when it is not
// defined: step is 0 or one of them not finite; or does not fit an int64.
std::optional<int64_t> RangeLength(double start, double stop, double step);
// The same for integers, exactly.
std::optional<int64_t> RangeLength(int64_t start, int64_t stop, int64_t step);

// Inputs: start, stop, step (scalars).
absl::Status InferRange(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_SHAPE_QUERY_RANGE_H_
