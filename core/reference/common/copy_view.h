// Copies elements between regular selections of two tensors: what all kernels
// that only move elements come down to.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_COPY_VIEW_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_COPY_VIEW_H_

#include "absl/status/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// target[to] = source[from] for all coordinates of the views, which have the
// same shape and lie inside of their packed tensors; the tensors are of one
// type, and no element of the target stands twice in `to`. Neighbouring
// elements are copied together where they are neighbours on both sides.
absl::Status CopyView(const KernelContext& context, const Tensor& source,
                      const StridedView& from, const Tensor& target,
                      const StridedView& to);

// All of output `i`, in C order, from a view of the source. The view must have
// the output's shape, but for axes of extent 1.
absl::Status CopyToOutput(const KernelContext& context, const Tensor& source,
                          const StridedView& from, int i = 0);

// Copies the whole of one tensor to another of the same type and size.
absl::Status CopyElements(const KernelContext& context, const Tensor& source,
                          const Tensor& target);

// Sets every element of `target` to the single element of `value`, or to zero
// (empty strings) when `value` is null.
absl::Status FillElements(const KernelContext& context, const Tensor* value,
                          const Tensor& target);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_COPY_VIEW_H_
