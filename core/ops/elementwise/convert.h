// Operations that change the element type: Convert, ConvertLike and
// ConvertPromoteTypes.
#ifndef DOVETAIL_CORE_OPS_ELEMENTWISE_CONVERT_H_
#define DOVETAIL_CORE_OPS_ELEMENTWISE_CONVERT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

struct ConvertAttributes : public AttributesOf<ConvertAttributes> {
  ElementType destination_type = ElementType::kDynamic;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("destination_type", destination_type);
  }
};

struct ConvertPromoteTypesAttributes
    : public AttributesOf<ConvertPromoteTypesAttributes> {
  // Whether a promotion may lose precision or range.
  bool promote_unsafe = false;
  // Whether a scalar gives way to a tensor, as in PyTorch.
  bool pytorch_scalar_promotion = false;
  // What u64 and a signed integer become, when promote_unsafe.
  ElementType u64_integer_promotion_target = ElementType::kF32;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("promote_unsafe", promote_unsafe);
    visitor.Visit("pytorch_scalar_promotion", pytorch_scalar_promotion);
    visitor.Visit("u64_integer_promotion_target",
                  u64_integer_promotion_target);
  }
};

absl::Status InferConvert(InferContext& context);
absl::Status InferConvertLike(InferContext& context);
// Both outputs have the type that both inputs can be promoted to.
absl::Status InferConvertPromoteTypes(InferContext& context);

// That type. kDynamic when it depends on what is not known yet;
// kInvalidArgument names both types when there is none.
absl::StatusOr<ElementType> CommonType(const InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ELEMENTWISE_CONVERT_H_
