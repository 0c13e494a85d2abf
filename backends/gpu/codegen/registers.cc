#include "dovetail/backends/gpu/codegen/registers.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/types.h"

namespace dovetail::gpu {
namespace {

bool IsHalfPrecision(ElementType type) {
  return type == ElementType::kF16 || type == ElementType::kBf16;
}

constexpr const char* kSigned[] = {"char", "short", "int", "long"};
constexpr const char* kUnsigned[] = {"uchar", "ushort", "uint", "ulong"};

// 0 for a byte, 1 for two, 2 for four and 3 for eight.
int WidthOf(ElementType type) {
  if (type == ElementType::kBoolean || IsFloat(type)) return 2;
  int width = 0;
  while ((8 << width) < BitWidth(type)) ++width;
  return width;
}

// What was read from memory, `count` lanes, in registers.
std::string Widened(ElementType type, const std::string& memory, int count) {
  switch (type) {
    // A user's booleans may be any bytes; comparisons of vectors give -1.
    case ElementType::kBoolean:
      return absl::Substitute("(($0($1) != 0) & 1)",
                              ClVector("convert_int", count), memory);
    case ElementType::kBf16:
      return absl::Substitute("$0($1($2) << 16)", ClVector("as_float", count),
                              ClVector("convert_uint", count), memory);
    default:
      return memory;
  }
}

// bf16 of the float `v`, to the nearest, of two the even one.
constexpr char kToBf16[] =
    "$0((isnan($3) != 0) ? ($1)(0x7fc0) : "
    "(($2($3) + 0x7fff + (($2($3) >> 16) & 1)) >> 16))";

}  // namespace

bool IsComputedType(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kBoolean ||
         (IsInteger(type) && HasClType(type));
}

bool IsRegisterType(ElementType type) {
  return IsComputedType(type) || IsHalfPrecision(type);
}

std::string RegisterType(ElementType type, int lanes) {
  if (type == ElementType::kBoolean) return ClVector("int", lanes);
  return ClVector(IsHalfPrecision(type) ? "float" : ClType(type), lanes);
}

std::string MaskType(ElementType type, int lanes) {
  return ClVector(lanes == 1 ? "int" : kSigned[WidthOf(type)], lanes);
}

std::string WrappingType(ElementType type, int lanes) {
  const int width = WidthOf(type);
  return ClVector(kUnsigned[lanes == 1 ? std::max(width, 2) : width], lanes);
}

std::string LoadText(ElementType type, absl::string_view pointer, int lanes) {
  if (type == ElementType::kF16) {
    return absl::Substitute("$0(0, $1)", ClVector("vload_half", lanes),
                            pointer);
  }
  if (lanes == 1) return LoadOneText(type, pointer, 1);
  return Widened(type, absl::Substitute("vload$0(0, $1)", lanes, pointer),
                 lanes);
}

std::string LoadOneText(ElementType type, absl::string_view pointer,
                        int lanes) {
  const std::string one =
      type == ElementType::kF16
          ? LoadText(type, pointer, 1)
          : Widened(type, absl::StrCat("(*(", pointer, "))"), 1);
  return lanes == 1
             ? one
             : absl::Substitute("(($0)($1))", RegisterType(type, lanes), one);
}

std::string StoreText(ElementType type, absl::string_view value,
                      absl::string_view pointer, int lanes) {
  std::string memory(value);
  if (type == ElementType::kF16) {
    return absl::Substitute("$0($1, 0, $2);\n", ClVector("vstore_half", lanes),
                            value, pointer);
  }
  if (type == ElementType::kBoolean) {
    memory = absl::StrCat(ClVector("convert_uchar", lanes), "(", value, ")");
  }
  if (type == ElementType::kBf16) {
    memory = absl::Substitute(kToBf16, ClVector("convert_ushort", lanes),
                              ClVector("uint", lanes),
                              ClVector("as_uint", lanes), value);
  }
  if (lanes == 1) return absl::Substitute("*($0) = $1;\n", pointer, memory);
  return absl::Substitute("vstore$0($1, 0, $2);\n", lanes, memory, pointer);
}

}  // namespace dovetail::gpu
