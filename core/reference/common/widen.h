// Kernels that compute in few types: what is narrower is widened before and
// narrowed after, so that a kernel is compiled for four types, not for twelve,
// and sums of narrow numbers are neither rounded nor overflow half-way.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_WIDEN_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_WIDEN_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// f32 for f16 and bf16, i64 for integers of up to 32 bits; any other type is
// its own.
ElementType WideType(ElementType type);

// Runs `kernel` on a context in which every input and output of the type that
// input `input` has is of the wide type instead. Outputs of this type have to
// be allocated already. Costs nothing when the type is wide.
absl::Status WithWideTypes(
    KernelContext& context, int input,
    absl::FunctionRef<absl::Status(KernelContext& wide)> kernel);

// Calls a generic lambda for a wide type: f32 f64 i64 u64.
template <typename F>
absl::Status DispatchWide(ElementType type, const KernelContext& context,
                          F&& f) {
  switch (type) {
    case ElementType::kF32: return f(TypeTag<float>{});
    case ElementType::kF64: return f(TypeTag<double>{});
    case ElementType::kI64: return f(TypeTag<int64_t>{});
    case ElementType::kU64: return f(TypeTag<uint64_t>{});
    default: return NoKernelFor(context, type);
  }
}

// The same for sums of products: integers as uint64_t, whose arithmetic wraps
// as that of any integer type does and has no undefined overflow.
template <typename F>
absl::Status DispatchWideArithmetic(ElementType type,
                                    const KernelContext& context, F&& f) {
  switch (type) {
    case ElementType::kF32: return f(TypeTag<float>{});
    case ElementType::kF64: return f(TypeTag<double>{});
    case ElementType::kI64:
    case ElementType::kU64: return f(TypeTag<uint64_t>{});
    default: return NoKernelFor(context, type);
  }
}

// f32 f64, for kernels that only floats have.
template <typename F>
absl::Status DispatchWideFloat(ElementType type, const KernelContext& context,
                               F&& f) {
  switch (type) {
    case ElementType::kF32: return f(TypeTag<float>{});
    case ElementType::kF64: return f(TypeTag<double>{});
    default: return NoKernelFor(context, type);
  }
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_WIDEN_H_
