// The types that an element of a tensor can have: all of OpenVINO's.
#ifndef DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_TYPE_H_
#define DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_TYPE_H_

#include <cstdint>
#include <ostream>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace dovetail {

// The numbers are part of the plugin ABI and of exported blobs: only append.
enum class ElementType : uint8_t {
  kDynamic = 0,  // not known yet, or decided at run time
  kBoolean = 1,  // one byte, 0 or 1
  kBf16 = 2,
  kF16 = 3,
  kF32 = 4,
  kF64 = 5,
  kF8E4M3 = 6,
  kF8E5M2 = 7,
  kF8E8M0 = 8,
  kF4E2M1 = 9,
  kNf4 = 10,
  kI2 = 11,
  kI4 = 12,
  kI8 = 13,
  kI16 = 14,
  kI32 = 15,
  kI64 = 16,
  kU1 = 17,
  kU2 = 18,
  kU3 = 19,
  kU4 = 20,
  kU6 = 21,
  kU8 = 22,
  kU16 = 23,
  kU32 = 24,
  kU64 = 25,
  kString = 26,  // an element is a std::string object
};

// Every type but kDynamic, in the order of the enumeration.
absl::Span<const ElementType> AllElementTypes();

// "f32", "i64", "boolean", "nf4" … as attributes of an IR spell it.
absl::string_view ElementTypeName(ElementType type);

// The type of that name, whatever the case; also "undefined" for kDynamic and
// the spellings of IR ports ("FP32", "BOOL", "BIN", "UNSPECIFIED").
// kInvalidArgument lists the names there are.
absl::StatusOr<ElementType> ParseElementType(absl::string_view name);

// Size of one element in bits: 1 … 64; for strings that of the std::string
// object; 0 for kDynamic.
int BitWidth(ElementType type);

// Bytes that `count` packed elements take (rounded up to whole bytes; u3 and
// u6 to whole groups: 8 elements in 3 bytes, 4 elements in 3 bytes).
// kInvalidArgument when the count is negative, the type kDynamic or the size
// does not fit.
absl::StatusOr<int64_t> ByteSize(ElementType type, int64_t count);

bool IsFloat(ElementType type);    // f64 … f4e2m1, nf4
bool IsInteger(ElementType type);  // i2 … i64, u1 … u64; not boolean
bool IsSigned(ElementType type);   // floats and i2 … i64
bool IsSubByte(ElementType type);  // several elements in one byte

std::ostream& operator<<(std::ostream& out, ElementType type);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_TYPE_H_
