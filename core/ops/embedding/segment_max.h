// SegmentMax.
#ifndef DOVETAIL_CORE_OPS_EMBEDDING_SEGMENT_MAX_H_
#define DOVETAIL_CORE_OPS_EMBEDDING_SEGMENT_MAX_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// What segments without rows hold.
enum class FillMode {
  kZero,
  kLowest,  // the least number of the type that is not infinite
};
absl::Span<const EnumName> EnumNames(FillMode);

struct SegmentMaxAttributes : public AttributesOf<SegmentMaxAttributes> {
  FillMode fill_mode = FillMode::kZero;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("fill_mode", fill_mode);
  }
};

// data [S, …], segment_ids [S], ascending, perhaps num_segments, a scalar
// -> [num_segments, …], or a row up to the last segment that there is. Rows of
// segments beyond num_segments are left out.
absl::Status InferSegmentMax(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_EMBEDDING_SEGMENT_MAX_H_
