// BatchNormInference and GroupNormalization: normalize, then scale and shift
// each channel.
#ifndef DOVETAIL_CORE_OPS_NORMALIZATION_BATCH_NORM_H_
#define DOVETAIL_CORE_OPS_NORMALIZATION_BATCH_NORM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

struct BatchNormAttributes : public AttributesOf<BatchNormAttributes> {
  double epsilon = 0;  // added to the variance
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("epsilon", epsilon);
  }
};

// Which input is which: version 0 has gamma and beta before the data.
struct BatchNormInputs {
  int data, gamma, beta, mean, variance;
};
BatchNormInputs BatchNormInputsOf(const OpInfo& op);

struct GroupNormAttributes : public AttributesOf<GroupNormAttributes> {
  int64_t num_groups = 0;  // of neighbouring channels
  double epsilon = 0;      // added to the variance

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("num_groups", num_groups);
    visitor.Visit("epsilon", epsilon);
  }
};

// data [N, C, …]; gamma, beta, mean and variance [C] -> the shape of data.
absl::Status InferBatchNorm(InferContext& context);
// data [N, C, …], scale [C], bias [C] -> the shape of data.
absl::Status InferGroupNorm(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_NORMALIZATION_BATCH_NORM_H_
