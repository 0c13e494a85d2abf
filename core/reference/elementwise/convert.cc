#include "dovetail/core/reference/elementwise/convert.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/common/half_blocks.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {
namespace {

// f16 and bf16 from and to f32, which is what weights and activations mostly
// need, in parallel. False for other types.
bool ConvertHalfPrecision(KernelContext& context, const Tensor& from,
                          const Tensor& to) {
  const bool widens =
      IsHalfPrecision(from.type()) && to.type() == ElementType::kF32;
  const bool narrows =
      from.type() == ElementType::kF32 && IsHalfPrecision(to.type());
  if (!widens && !narrows) return false;
  ParallelLoop(context, from.element_count(), 4,
               [&](int64_t begin, int64_t end) {
                 if (widens) {
                   WidenHalfPrecision(from.type(), from.raw_data(), begin,
                                      end - begin,
                                      to.mutable_data<float>() + begin);
                 } else {
                   NarrowToHalfPrecision(to.type(), from.data<float>() + begin,
                                         end - begin, to.mutable_raw_data(),
                                         begin);
                 }
               });
  return true;
}

// Output `i` from input `i`.
absl::Status ConvertOne(KernelContext& context, int i) {
  const Tensor& from = context.input(i);
  const ElementType type = context.output(i).type();
  if (from.type() == type) {
    context.SetOutput(i, from);
    return absl::OkStatus();
  }
  if (ConvertHalfPrecision(context, from, context.output(i))) {
    return absl::OkStatus();
  }
  absl::StatusOr<Tensor> converted = ConvertTensor(from, type);
  if (!converted.ok()) {
    return Annotate(converted.status(), context.node().Describe());
  }
  context.SetOutput(i, *std::move(converted));
  return absl::OkStatus();
}

}  // namespace

absl::Status ConvertKernel(KernelContext& context) {
  return ConvertOne(context, 0);
}

absl::Status ConvertLikeKernel(KernelContext& context) {
  return ConvertOne(context, 0);
}

absl::Status ConvertPromoteTypesKernel(KernelContext& context) {
  DOVETAIL_RETURN_IF_ERROR(ConvertOne(context, 0));
  return ConvertOne(context, 1);
}

}  // namespace dovetail
