// Softmax and LogSoftmax.
#ifndef DOVETAIL_CORE_OPS_NORMALIZATION_SOFTMAX_H_
#define DOVETAIL_CORE_OPS_NORMALIZATION_SOFTMAX_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Of both versions of Softmax and of LogSoftmax.
struct SoftmaxAttributes : public AttributesOf<SoftmaxAttributes> {
  int64_t axis = 1;  // along which elements sum up to 1
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
  }
};

// data -> the same shape. The axis of Softmax-1 must not be negative; that of
// Softmax-8 and LogSoftmax-5 may count from the end. A scalar counts as a
// vector of one element.
absl::Status InferSoftmax1(InferContext& context);
absl::Status InferSoftmax(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_NORMALIZATION_SOFTMAX_H_
