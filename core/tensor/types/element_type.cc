#include "dovetail/core/tensor/types/element_type.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail {
namespace {

enum class Kind : uint8_t {
  kNone,
  kBoolean,
  kFloat,
  kSigned,
  kUnsigned,
  kText
};

struct Traits {
  absl::string_view name;
  absl::string_view port_name;  // where an IR port spells it otherwise
  int bits;
  Kind kind;
  // Elements are packed in groups of whole bytes.
  int group_elements;
  int group_bytes;
};

constexpr int kStringBytes = static_cast<int>(sizeof(std::string));

// Rows in the order of the enumeration.
constexpr Traits kTraits[] = {
    {"dynamic", "unspecified", 0, Kind::kNone, 1, 0},
    {"boolean", "bool", 8, Kind::kBoolean, 1, 1},
    {"bf16", "bf16", 16, Kind::kFloat, 1, 2},
    {"f16", "fp16", 16, Kind::kFloat, 1, 2},
    {"f32", "fp32", 32, Kind::kFloat, 1, 4},
    {"f64", "fp64", 64, Kind::kFloat, 1, 8},
    {"f8e4m3", "f8e4m3", 8, Kind::kFloat, 1, 1},
    {"f8e5m2", "f8e5m2", 8, Kind::kFloat, 1, 1},
    {"f8e8m0", "f8e8m0", 8, Kind::kFloat, 1, 1},
    {"f4e2m1", "f4e2m1", 4, Kind::kFloat, 2, 1},
    {"nf4", "nf4", 4, Kind::kFloat, 2, 1},
    {"i2", "i2", 2, Kind::kSigned, 4, 1},
    {"i4", "i4", 4, Kind::kSigned, 2, 1},
    {"i8", "i8", 8, Kind::kSigned, 1, 1},
    {"i16", "i16", 16, Kind::kSigned, 1, 2},
    {"i32", "i32", 32, Kind::kSigned, 1, 4},
    {"i64", "i64", 64, Kind::kSigned, 1, 8},
    {"u1", "bin", 1, Kind::kUnsigned, 8, 1},
    {"u2", "u2", 2, Kind::kUnsigned, 4, 1},
    {"u3", "u3", 3, Kind::kUnsigned, 8, 3},
    {"u4", "u4", 4, Kind::kUnsigned, 2, 1},
    {"u6", "u6", 6, Kind::kUnsigned, 4, 3},
    {"u8", "u8", 8, Kind::kUnsigned, 1, 1},
    {"u16", "u16", 16, Kind::kUnsigned, 1, 2},
    {"u32", "u32", 32, Kind::kUnsigned, 1, 4},
    {"u64", "u64", 64, Kind::kUnsigned, 1, 8},
    {"string", "string", 8 * kStringBytes, Kind::kText, 1, kStringBytes},
};
constexpr int kTypeCount = sizeof(kTraits) / sizeof(kTraits[0]);
static_assert(kTypeCount == static_cast<int>(ElementType::kString) + 1,
              "every type has its row");

// A number that is no type, out of a damaged blob say, counts as kDynamic.
const Traits& TraitsOf(ElementType type) {
  const int row = static_cast<int>(type);
  return kTraits[row < kTypeCount ? row : 0];
}

std::string KnownNames() {
  std::string names;
  for (const Traits& traits : kTraits) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", traits.name);
  }
  return names;
}

}  // namespace

absl::Span<const ElementType> AllElementTypes() {
  static const ElementType* const types = [] {
    static ElementType all[kTypeCount - 1];
    for (int i = 1; i < kTypeCount; ++i) all[i - 1] = ElementType(i);
    return all;
  }();
  return absl::MakeConstSpan(types, kTypeCount - 1);
}

absl::string_view ElementTypeName(ElementType type) {
  return TraitsOf(type).name;
}

absl::StatusOr<ElementType> ParseElementType(absl::string_view name) {
  for (int i = 0; i < kTypeCount; ++i) {
    if (absl::EqualsIgnoreCase(name, kTraits[i].name) ||
        absl::EqualsIgnoreCase(name, kTraits[i].port_name)) {
      return ElementType(i);
    }
  }
  // What older files call a type that is not known.
  if (absl::EqualsIgnoreCase(name, "undefined") ||
      absl::EqualsIgnoreCase(name, "mixed")) {
    return ElementType::kDynamic;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "no element type \"", name, "\"; there are ", KnownNames()));
}

int BitWidth(ElementType type) { return TraitsOf(type).bits; }

absl::StatusOr<int64_t> ByteSize(ElementType type, int64_t count) {
  const Traits& traits = TraitsOf(type);
  if (traits.kind == Kind::kNone) {
    return absl::InvalidArgumentError("a dynamic element type has no size");
  }
  if (count < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("negative number of elements: ", count));
  }
  const std::optional<int64_t> bytes = CheckedMultiply(
      CeilDivide(count, traits.group_elements), traits.group_bytes);
  if (!bytes.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        count, " elements of ", traits.name, " are more than memory holds"));
  }
  return *bytes;
}

bool IsFloat(ElementType type) { return TraitsOf(type).kind == Kind::kFloat; }

bool IsInteger(ElementType type) {
  const Kind kind = TraitsOf(type).kind;
  return kind == Kind::kSigned || kind == Kind::kUnsigned;
}

bool IsSigned(ElementType type) {
  const Kind kind = TraitsOf(type).kind;
  return kind == Kind::kSigned || kind == Kind::kFloat;
}

bool IsSubByte(ElementType type) { return TraitsOf(type).group_elements > 1; }

std::ostream& operator<<(std::ostream& out, ElementType type) {
  return out << ElementTypeName(type);
}

}  // namespace dovetail
