// NormalizeL2 and GRN: scale to a length of 1.
#ifndef DOVETAIL_CORE_OPS_NORMALIZATION_NORMALIZE_L2_H_
#define DOVETAIL_CORE_OPS_NORMALIZATION_NORMALIZE_L2_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class EpsMode {
  kAdd,  // x / sqrt(sum of squares + eps)
  kMax,  // x / sqrt(max(sum of squares, eps))
};
absl::Span<const EnumName> EnumNames(EpsMode);

struct NormalizeL2Attributes : public AttributesOf<NormalizeL2Attributes> {
  double eps = 0;
  EpsMode eps_mode = EpsMode::kAdd;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("eps", eps);
    visitor.Visit("eps_mode", eps_mode);
  }
};

struct GrnAttributes : public AttributesOf<GrnAttributes> {
  double bias = 1;  // added to the sum of squares over axis 1
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("bias", bias);
  }
};

// data, axes -> the shape of data.
absl::Status InferNormalizeL2(InferContext& context);
// data [N, C, …] of rank 2 to 4 -> the same shape.
absl::Status InferGrn(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_NORMALIZATION_NORMALIZE_L2_H_
