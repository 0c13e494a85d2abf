#include "dovetail/core/reference/movement/reshaping/transpose.h"

#include <cstdint>
#include <numeric>
#include <vector>

#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/reference/common/copy_view.h"

namespace dovetail {

absl::Status TransposeKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  std::vector<int> order(data.rank());
  if (context.input(1).element_count() == 0) {
    std::iota(order.rbegin(), order.rend(), 0);
  } else {
    const std::vector<int64_t> axes = ToInt64Vector(context.input(1));
    order.assign(axes.begin(), axes.end());
  }
  return CopyToOutput(context, data, Permuted(PackedView(data.shape()), order));
}

}  // namespace dovetail
