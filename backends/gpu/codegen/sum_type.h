// In which type kernels sum products.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_SUM_TYPE_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_SUM_TYPE_H_

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// "ulong" for integers, whose sums wrap; empty: of that type there are none.
inline absl::string_view SumType(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return "float";
    case ElementType::kF64:
      return "double";
    case ElementType::kI8:
    case ElementType::kU8:
    case ElementType::kI16:
    case ElementType::kU16:
    case ElementType::kI32:
    case ElementType::kU32:
    case ElementType::kI64:
    case ElementType::kU64:
      return "ulong";
    default:
      return "";
  }
}

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_SUM_TYPE_H_
