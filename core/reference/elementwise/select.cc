#include "dovetail/core/reference/elementwise/select.h"

#include <array>

#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/rows.h"
#include "dovetail/core/reference/dispatch.h"

namespace dovetail {
namespace {

template <typename T>
void SelectElements(KernelContext& context, const BroadcastRows<3>& rows) {
  const auto* condition = context.input(0).data<uint8_t>();
  const T* then = context.input(1).data<T>();
  const T* otherwise = context.input(2).data<T>();
  T* out = context.output(0).mutable_data<T>();
  const int64_t step_0 = rows.steps(0), step_1 = rows.steps(1),
                step_2 = rows.steps(2);
  const auto select_row = [&](const std::array<int64_t, 3>& from, int64_t to,
                              int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      out[to + i] = condition[from[0] + i * step_0] != 0
                        ? then[from[1] + i * step_1]
                        : otherwise[from[2] + i * step_2];
    }
  };
  ParallelLoop(context, context.output(0).element_count(), 2,
               [&](int64_t begin, int64_t end) {
                 rows.ForEach(begin, end, select_row);
               });
}

}  // namespace

absl::Status SelectKernel(KernelContext& context) {
  const bool pdpd = context.attributes<BinaryAttributes>().auto_broadcast ==
                    AutoBroadcast::kPdpd;
  const Shape& shape = context.output(0).shape();
  std::array<ElementStrides, 3> strides;
  for (int i = 0; i < 3; ++i) {
    strides[i] =
        BroadcastStrides(context.input(i).shape(), shape, pdpd ? 0 : -1);
  }
  const BroadcastRows<3> rows(shape, strides);
  return DispatchBySize(context.output(0).type(), context,
                        [&](auto tag) -> absl::Status {
                          using T = typename decltype(tag)::type;
                          SelectElements<T>(context, rows);
                          return absl::OkStatus();
                        });
}

}  // namespace dovetail
