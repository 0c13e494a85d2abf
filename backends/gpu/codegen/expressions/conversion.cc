#include "dovetail/backends/gpu/codegen/expressions/conversion.h"

namespace dovetail::gpu {
namespace {

std::string FloatToInteger(ElementType result) {
  switch (result) {
    case ElementType::kU32:
      return "convert_$R(to_i64_$V($a))";
    case ElementType::kI64:
      return "to_i64_$V($a)";
    case ElementType::kU64:
      return "to_u64_$V($a)";
    default:
      return "convert_$R(to_i32_$V($a))";
  }
}

}  // namespace

std::string ConversionText(const MarkedTypes& types) {
  if (types.result == ElementType::kBoolean) {
    return types.type == ElementType::kBoolean
               ? "$a"
               : "(convert_$I($a != ($V)(0)) & 1)";
  }
  if (IsFloat(types.type)) {
    return IsFloat(types.result) ? "$a" : FloatToInteger(types.result);
  }
  return types.type == types.result ? "$a" : "convert_$R($a)";
}

}  // namespace dovetail::gpu
