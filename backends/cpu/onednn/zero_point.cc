#include "dovetail/backends/cpu/onednn/zero_point.h"

#include "dovetail/core/base/status.h"

namespace dovetail::cpu {

absl::StatusOr<PrimitiveOperand> AddZeroPoint(int32_t number,
                                              PlanBuilder& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                            Tensor::Allocate(ElementType::kI32, {1}));
  *tensor.mutable_data<int32_t>() = number;
  return PrimitiveOperand{
      DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC,
      {{1}, dnnl::memory::data_type::s32, dnnl::memory::format_tag::a},
      builder.AddConstant(tensor)};
}

}  // namespace dovetail::cpu
