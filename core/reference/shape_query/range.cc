#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/shape_query/range.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/shape_query/shape_query.h"

namespace dovetail {
namespace {

// The numbers start + i * step; N is int64_t for integer outputs. There are
// none when the step leads away from stop.
template <typename N>
absl::Status FillRange(KernelContext& context, ElementType type, N start,
                       N stop, N step) {
  const std::optional<int64_t> length = RangeLength(start, stop, step);
  if (!length.has_value()) {
    return context.Error("start ", start, ", stop ", stop, " and step ", step,
                         " make no range: want finite numbers and a step "
                         "other than 0");
  }
  if (!context.output(0).has_data()) {
    DOVETAIL_RETURN_IF_ERROR(
        context.AllocateOutput(0, type, Shape{*length}));
  }
  const Tensor& output = context.output(0);
  return DispatchNumeric(type, context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* const out = output.mutable_data<T>();
    ParallelLoop(context, output.element_count(), 1,
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) {
                     if constexpr (std::is_same_v<N, int64_t>) {
                       // Unsigned, so that what leaves int64 wraps.
                       out[i] = static_cast<T>(
                           static_cast<uint64_t>(start) +
                           static_cast<uint64_t>(i) *
                               static_cast<uint64_t>(step));
                     } else {
                       out[i] = static_cast<T>(start + i * step);
                     }
                   }
                 });
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status RangeKernel(KernelContext& context) {
  const auto* attributes = context.node().As<RangeAttributes>();
  ElementType type = attributes != nullptr ? attributes->output_type
                                           : context.input(0).type();
  // It may be a wider one than the attribute says.
  if (context.output(0).has_data()) type = context.output(0).type();
  const Tensor& start = context.input(0);
  const Tensor& stop = context.input(1);
  const Tensor& step = context.input(2);
  for (const Tensor& bound : context.inputs()) {
    if (!std::isfinite(bound.ElementAsDouble(0))) {
      return context.Error("start ", start.ElementAsDouble(0), ", stop ",
                           stop.ElementAsDouble(0), " and step ",
                           step.ElementAsDouble(0), ", want finite numbers");
    }
  }
  if (IsInteger(type)) {
    return FillRange<int64_t>(context, type, start.ElementAsInt64(0),
                              stop.ElementAsInt64(0), step.ElementAsInt64(0));
  }
  return FillRange<double>(context, type, start.ElementAsDouble(0),
                           stop.ElementAsDouble(0), step.ElementAsDouble(0));
}

}  // namespace dovetail
