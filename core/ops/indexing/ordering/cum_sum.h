// CumSum: sums of all elements so far along an axis.
#ifndef DOVETAIL_CORE_OPS_INDEXING_ORDERING_CUM_SUM_H_
#define DOVETAIL_CORE_OPS_INDEXING_ORDERING_CUM_SUM_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct CumSumAttributes : public AttributesOf<CumSumAttributes> {
  bool exclusive = false;  // without the element itself
  bool reverse = false;    // from the end
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("exclusive", exclusive);
    visitor.Visit("reverse", reverse);
  }
};

// Inputs: data, axis (one element, optional: 0).
absl::Status InferCumSum(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_ORDERING_CUM_SUM_H_
