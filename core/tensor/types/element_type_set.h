// Sets of element types, as tables of operations speak of them.
#ifndef DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_TYPE_SET_H_
#define DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_TYPE_SET_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// kDynamic, which is no type yet, is in no set.
class ElementTypeSet {
 public:
  constexpr ElementTypeSet() = default;
  constexpr ElementTypeSet(std::initializer_list<ElementType> types) {
    for (ElementType type : types) bits_ |= Bit(type);
  }

  constexpr bool Contains(ElementType type) const {
    return (bits_ & Bit(type)) != 0;
  }
  constexpr bool empty() const { return bits_ == 0; }
  // Union, intersection and difference.
  constexpr ElementTypeSet operator|(ElementTypeSet other) const {
    return ElementTypeSet(bits_ | other.bits_);
  }
  constexpr ElementTypeSet operator&(ElementTypeSet other) const {
    return ElementTypeSet(bits_ & other.bits_);
  }
  constexpr ElementTypeSet operator-(ElementTypeSet other) const {
    return ElementTypeSet(bits_ & ~other.bits_);
  }
  constexpr bool operator==(ElementTypeSet other) const {
    return bits_ == other.bits_;
  }
  constexpr bool operator!=(ElementTypeSet other) const {
    return bits_ != other.bits_;
  }

  // In the order of the enumeration.
  std::vector<ElementType> types() const;
  // "bf16, f16, f32, f64"; with " or " before the last: "i32 or i64".
  std::string ToString(absl::string_view before_last = ", ") const;

 private:
  explicit constexpr ElementTypeSet(uint32_t bits) : bits_(bits) {}
  static constexpr uint32_t Bit(ElementType type) {
    const int place = static_cast<int>(type);
    return place > 0 && place < 32 ? 1u << place : 0u;
  }
  uint32_t bits_ = 0;
};

inline constexpr ElementTypeSet kBooleanType = {ElementType::kBoolean};
inline constexpr ElementTypeSet kStringType = {ElementType::kString};
// Floats that models compute with.
inline constexpr ElementTypeSet kFloatTypes = {
    ElementType::kBf16, ElementType::kF16, ElementType::kF32,
    ElementType::kF64};
inline constexpr ElementTypeSet kSignedIntegerTypes = {
    ElementType::kI8, ElementType::kI16, ElementType::kI32, ElementType::kI64};
inline constexpr ElementTypeSet kUnsignedIntegerTypes = {
    ElementType::kU8, ElementType::kU16, ElementType::kU32, ElementType::kU64};
inline constexpr ElementTypeSet kIntegerTypes =
    kSignedIntegerTypes | kUnsignedIntegerTypes;
inline constexpr ElementTypeSet kNumericTypes = kFloatTypes | kIntegerTypes;
// Indices, axes and shapes.
inline constexpr ElementTypeSet kIndexTypes = {ElementType::kI32,
                                               ElementType::kI64};
// Types that weights are compressed to: nothing computes in them.
inline constexpr ElementTypeSet kFloat8Types = {
    ElementType::kF8E4M3, ElementType::kF8E5M2, ElementType::kF8E8M0};
inline constexpr ElementTypeSet kSubByteTypes = {
    ElementType::kF4E2M1, ElementType::kNf4, ElementType::kI2,
    ElementType::kI4,     ElementType::kU1,  ElementType::kU2,
    ElementType::kU3,     ElementType::kU4,  ElementType::kU6};
// Types whose elements take one byte or more each; strings are objects.
inline constexpr ElementTypeSet kWholeByteTypes =
    kBooleanType | kNumericTypes | kFloat8Types;
inline constexpr ElementTypeSet kAllTypes =
    kWholeByteTypes | kSubByteTypes | kStringType;

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_TYPE_SET_H_
