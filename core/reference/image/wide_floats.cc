#include "dovetail/core/reference/image/wide_floats.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/common/parallel.h"

namespace dovetail {
namespace {

ElementType ComputedAs(ElementType type) {
  const bool fits_float = IsFloat(type) ? type != ElementType::kF64
                                        : BitWidth(type) <= 16;
  return fits_float ? ElementType::kF32 : ElementType::kF64;
}

// The least and the greatest number of an integer type that a double holds.
struct Limits {
  double least;
  double greatest;
};

Limits LimitsOf(ElementType type) {
  const int bits = BitWidth(type) - (IsSigned(type) ? 1 : 0);
  const double end = std::ldexp(1.0, bits);
  return {IsSigned(type) ? -end : 0.0,
          bits > 53 ? std::nextafter(end, 0.0) : end - 1};
}

}  // namespace

void RoundToInteger(const KernelContext& context, ElementType type,
                    const Tensor& data) {
  const Limits limits = LimitsOf(type);
  const auto round = [&](auto* elements) {
    using T = std::remove_pointer_t<decltype(elements)>;
    ParallelLoop(context, data.element_count(), 4,
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) {
                     const double x = std::nearbyint(elements[i]);
                     elements[i] = static_cast<T>(
                         std::isnan(x)
                             ? 0
                             : std::clamp(x, limits.least, limits.greatest));
                   }
                 });
  };
  if (data.type() == ElementType::kF32) {
    round(data.mutable_data<float>());
  } else {
    round(data.mutable_data<double>());
  }
}

absl::Status WithWideFloats(
    KernelContext& context,
    absl::FunctionRef<absl::Status(const Tensor& data, const Tensor& output)>
        kernel) {
  const ElementType type = context.input(0).type();
  const ElementType wide = ComputedAs(type);
  if (type == wide) return kernel(context.input(0), context.output(0));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor data,
                            ConvertTensor(context.input(0), wide));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor output,
      Tensor::AllocateUninitialized(wide, context.output(0).shape()));
  DOVETAIL_RETURN_IF_ERROR(kernel(data, output));
  if (IsInteger(type)) RoundToInteger(context, type, output);
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor narrow, ConvertTensor(output, type));
  return context.output(0).CopyFrom(narrow);
}

}  // namespace dovetail
