// Kernels compute in the types that machines compute in. Others are numbers all
// the same: those that weights are compressed to (u4, nf4, f8e4m3 …), and
// integers where a kernel knows floats only. Their elements are brought to a
// type that holds them, and the results back.
#ifndef DOVETAIL_CORE_REFERENCE_WIDE_TYPES_H_
#define DOVETAIL_CORE_REFERENCE_WIDE_TYPES_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// The type that holds all values of `type` and that kernels know: f32 for 8-
// and 4-bit floats, i8 and u8 for integers narrower than a byte, u8 for
// boolean; others are their own.
ElementType WiderType(ElementType type);
// The float that an integer is computed in where there is no integer kernel:
// f32, or f64 for those of 32 bits and more; others are their own.
ElementType FloatFor(ElementType type);

using ChangeType = ElementType (*)(ElementType type);

// The tensors in the types that `change` makes of theirs; those that stay as
// they are have the same memory. Where `of` is a type, only tensors of this
// type are changed.
absl::StatusOr<std::vector<Tensor>> WithTypes(
    absl::Span<const Tensor> tensors, ChangeType change,
    ElementType of = ElementType::kDynamic);

// Converts `outputs` to the types that were inferred for them, floats to the
// nearest integer.
absl::Status NarrowOutputs(const std::vector<InferredOutput>& inferred,
                           std::vector<Tensor>& outputs);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_WIDE_TYPES_H_
