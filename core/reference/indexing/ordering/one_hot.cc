#include <cstdint>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/ordering/one_hot.h"
#include "dovetail/core/reference/common/copy_view.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/indexing/ordering/ordering.h"

namespace dovetail {

absl::Status OneHotKernel(KernelContext& context) {
  const Tensor& output = context.output(0);
  if (!output.has_data()) {
    return context.Error("input 1, depth, is ",
                         context.input(1).ElementAsInt64(0),
                         ", want 0 or more");
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      NormalizeAxis(OneHotAxis(context.node()), output.rank()));
  const auto* attributes = context.node().As<OneHot16Attributes>();
  const bool from_end =
      attributes != nullptr &&
      attributes->negative_indices_mode == NegativeIndices::kNormalize;
  const std::vector<int64_t> indices = ToInt64Vector(context.input(0));
  const int64_t depth = output.shape()[axis];
  const int64_t inner = output.shape().Count(axis + 1, output.rank());
  DOVETAIL_RETURN_IF_ERROR(FillElements(context, &context.input(3), output));
  return DispatchBySize(output.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T& on = *context.input(2).data<T>();
    T* const out = output.mutable_data<T>();
    for (size_t i = 0; i < indices.size(); ++i) {
      int64_t index = indices[i];
      if (from_end && index < 0) index += depth;
      if (index < 0 || index >= depth) continue;
      const int64_t at = static_cast<int64_t>(i);
      out[(at / inner * depth + index) * inner + at % inner] = on;
    }
    return absl::OkStatus();
  });
}

}  // namespace dovetail
