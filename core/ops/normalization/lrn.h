// LRN: divide by what the neighbours amount to.
#ifndef DOVETAIL_CORE_OPS_NORMALIZATION_LRN_H_
#define DOVETAIL_CORE_OPS_NORMALIZATION_LRN_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// x / (bias + alpha / size^axes * sum of squares)^beta
struct LrnAttributes : public AttributesOf<LrnAttributes> {
  double alpha = 0;
  double beta = 0;
  double bias = 0;
  int64_t size = 0;  // neighbours along each axis, the element itself included

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("alpha", alpha);
    visitor.Visit("beta", beta);
    visitor.Visit("bias", bias);
    visitor.Visit("size", size);
  }
};

// data, axes -> the shape of data.
absl::Status InferLrn(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_NORMALIZATION_LRN_H_
