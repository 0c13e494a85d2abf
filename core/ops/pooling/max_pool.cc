#include "dovetail/core/ops/pooling/max_pool.h"

#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/pooling/pool_shape.h"

namespace dovetail {
namespace {

constexpr int kFirstWithTorchRounding = 14;

}  // namespace

absl::Status InferMaxPool(InferContext& context) {
  const auto& attributes = context.attributes<MaxPoolAttributes>();
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape output,
                            InferPool(context, attributes.window,
                                      attributes.kernel,
                                      kFirstWithTorchRounding));
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status InferMaxPool8(InferContext& context) {
  const auto& attributes = context.attributes<MaxPool8Attributes>();
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape output,
                            InferPool(context, attributes.window,
                                      attributes.kernel,
                                      kFirstWithTorchRounding));
  const ElementType index = attributes.index_element_type;
  if (index != ElementType::kI32 && index != ElementType::kI64) {
    return context.Error("attribute 'index_element_type' is ",
                         ElementTypeName(index), ", want i32 or i64");
  }
  DOVETAIL_RETURN_IF_ERROR(
      CheckedAxis(context, attributes.axis, output.rank(), "attribute 'axis'")
          .status());
  context.SetOutput(0, context.type(0), output);
  context.SetOutput(1, index, std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
