#include <cstdint>
#include <type_traits>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/ordering/cum_sum.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/indexing/ordering/ordering.h"

namespace dovetail {
namespace {

// Sums `length` elements that are `stride` apart, from `data` on.
template <typename T>
void SumLine(const T* data, T* out, int64_t length, int64_t stride,
             bool exclusive) {
  using Total =
      std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;
  Total total = 0;
  for (int64_t i = 0; i < length; ++i) {
    const Total with = total + static_cast<Total>(data[i * stride]);
    out[i * stride] = static_cast<T>(exclusive ? total : with);
    total = with;
  }
}

}  // namespace

absl::Status CumSumKernel(KernelContext& context) {
  const auto& attributes = context.attributes<CumSumAttributes>();
  const Tensor& data = context.input(0);
  const Shape shape = data.rank() == 0 ? Shape{1} : data.shape();
  const int64_t number =
      context.has_input(1) ? context.input(1).ElementAsInt64(0) : 0;
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(number, shape.rank()));
  if (data.element_count() == 0) return absl::OkStatus();
  const int64_t length = shape[axis];
  const int64_t inner = shape.Count(axis + 1, shape.rank());
  const int64_t lines = shape.Count() / length;
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWide(wide.input(0).type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      ParallelLoop(wide, lines, length, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          int64_t first = i / inner * length * inner + i % inner;
          if (attributes.reverse) first += (length - 1) * inner;
          SumLine(wide.input(0).data<T>() + first,
                  wide.output(0).mutable_data<T>() + first, length,
                  attributes.reverse ? -inner : inner, attributes.exclusive);
        }
      });
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
