// From an ElementType to a C++ type: calls a generic lambda with a tag whose
// `type` is the element's.
//
//   return DispatchNumeric(input.type(), context, [&](auto tag) {
//     using T = typename decltype(tag)::type;
//     …
//     return absl::OkStatus();
//   });
#ifndef DOVETAIL_CORE_REFERENCE_DISPATCH_H_
#define DOVETAIL_CORE_REFERENCE_DISPATCH_H_

#include <string>

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/types/element_type.h"
#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail {

template <typename T>
struct TypeTag {
  using type = T;
};

// "layer … : element type u4 has no kernel": what the dispatchers answer for
// types outside of their list.
absl::Status NoKernelFor(const KernelContext& context, ElementType type);

// f32 f64 f16 bf16.
template <typename F>
absl::Status DispatchFloat(ElementType type, const KernelContext& context,
                           F&& f) {
  switch (type) {
    case ElementType::kF32: return f(TypeTag<float>{});
    case ElementType::kF64: return f(TypeTag<double>{});
    case ElementType::kF16: return f(TypeTag<Float16>{});
    case ElementType::kBf16: return f(TypeTag<BFloat16>{});
    default: return NoKernelFor(context, type);
  }
}

// i8 … i64, u8 … u64.
template <typename F>
absl::Status DispatchInteger(ElementType type, const KernelContext& context,
                             F&& f) {
  switch (type) {
    case ElementType::kI8: return f(TypeTag<int8_t>{});
    case ElementType::kI16: return f(TypeTag<int16_t>{});
    case ElementType::kI32: return f(TypeTag<int32_t>{});
    case ElementType::kI64: return f(TypeTag<int64_t>{});
    case ElementType::kU8: return f(TypeTag<uint8_t>{});
    case ElementType::kU16: return f(TypeTag<uint16_t>{});
    case ElementType::kU32: return f(TypeTag<uint32_t>{});
    case ElementType::kU64: return f(TypeTag<uint64_t>{});
    default: return NoKernelFor(context, type);
  }
}

// All of the above.
template <typename F>
absl::Status DispatchNumeric(ElementType type, const KernelContext& context,
                             F&& f) {
  return IsFloat(type) ? DispatchFloat(type, context, f)
                       : DispatchInteger(type, context, f);
}

// i32 i64: indices, axes, shapes.
template <typename F>
absl::Status DispatchIndex(ElementType type, const KernelContext& context,
                           F&& f) {
  switch (type) {
    case ElementType::kI32: return f(TypeTag<int32_t>{});
    case ElementType::kI64: return f(TypeTag<int64_t>{});
    default: return NoKernelFor(context, type);
  }
}

// For kernels that only move elements: an unsigned type of the same size, or
// std::string. Whole-byte types only.
template <typename F>
absl::Status DispatchBySize(ElementType type, const KernelContext& context,
                            F&& f) {
  if (type == ElementType::kString) return f(TypeTag<std::string>{});
  switch (BitWidth(type)) {
    case 8: return f(TypeTag<uint8_t>{});
    case 16: return f(TypeTag<uint16_t>{});
    case 32: return f(TypeTag<uint32_t>{});
    case 64: return f(TypeTag<uint64_t>{});
    default: return NoKernelFor(context, type);
  }
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DISPATCH_H_
