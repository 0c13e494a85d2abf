#include "dovetail/core/reference/elementwise/convert.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_io.h"

namespace dovetail {
namespace {

// In parallel, where each element has bytes of its own to write. False: it does
// not, or there is nothing that can be converted.
bool ConvertInParallel(KernelContext& context, const Tensor& from,
                       const Tensor& to) {
  for (const Tensor* const tensor : {&from, &to}) {
    if (tensor->type() == ElementType::kString ||
        tensor->type() == ElementType::kDynamic || !tensor->is_contiguous() ||
        !tensor->is_on_host() || !tensor->has_data()) {
      return false;
    }
  }
  if (IsSubByte(to.type())) return false;
  ParallelLoop(context, from.element_count(), 4,
               [&](int64_t begin, int64_t end) {
                 ConvertElements(from.type(), from.raw_data(), to.type(),
                                 to.mutable_raw_data(), begin, end);
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
  if (ConvertInParallel(context, from, context.output(i))) {
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
