#include "dovetail/backends/gpu/codegen/types.h"

#include "absl/strings/str_cat.h"

namespace dovetail::gpu {

absl::string_view ClType(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return "float";
    case ElementType::kF64:
      return "double";
    case ElementType::kF16:
      return "half";
    case ElementType::kBf16:
    case ElementType::kU16:
      return "ushort";
    case ElementType::kI16:
      return "short";
    case ElementType::kI8:
      return "char";
    case ElementType::kU8:
    case ElementType::kBoolean:
      return "uchar";
    case ElementType::kI32:
      return "int";
    case ElementType::kU32:
      return "uint";
    case ElementType::kI64:
      return "long";
    case ElementType::kU64:
      return "ulong";
    default:
      return "";
  }
}

bool HasClType(ElementType type) { return !ClType(type).empty(); }

absl::string_view ClBytes(int bytes) {
  switch (bytes) {
    case 2:
      return "ushort";
    case 4:
      return "uint";
    case 8:
      return "ulong";
    default:
      return "uchar";
  }
}

std::string ClVector(absl::string_view type, int lanes) {
  return lanes == 1 ? std::string(type) : absl::StrCat(type, lanes);
}

std::string LaneNumbers(int lanes) {
  std::string numbers = "0";
  for (int i = 1; i < lanes; ++i) absl::StrAppend(&numbers, ", ", i);
  return numbers;
}

}  // namespace dovetail::gpu
