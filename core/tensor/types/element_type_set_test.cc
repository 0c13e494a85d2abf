#include "dovetail/core/tensor/types/element_type_set.h"

#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(ElementTypeSetTest, UnitesIntersectsAndTakesAway) {
  constexpr ElementTypeSet kSmall = {ElementType::kI32, ElementType::kBf16};
  static_assert(kSmall.Contains(ElementType::kI32));
  static_assert(!kSmall.Contains(ElementType::kF32));
  static_assert((kSmall | kFloatTypes).Contains(ElementType::kF64));
  static_assert((kSmall & kFloatTypes) == ElementTypeSet{ElementType::kBf16});
  static_assert((kSmall - kNumericTypes).empty());
  EXPECT_EQ((kSmall - kFloatTypes).ToString(), "i32");
  EXPECT_NE(kSmall, kFloatTypes);
}

TEST(ElementTypeSetTest, ListsItsTypes) {
  EXPECT_EQ(ElementTypeSet().ToString(), "");
  EXPECT_EQ(kFloatTypes.ToString(), "bf16, f16, f32, f64");
  EXPECT_EQ(kIndexTypes.ToString(" or "), "i32 or i64");
  EXPECT_EQ(kSignedIntegerTypes.ToString(" or "), "i8, i16, i32 or i64");
  EXPECT_EQ(kBooleanType.ToString(" or "), "boolean");
}

TEST(ElementTypeSetTest, AllTypesAreAllButDynamic) {
  const std::vector<ElementType> types = kAllTypes.types();
  EXPECT_EQ(absl::MakeConstSpan(types), AllElementTypes());
  EXPECT_FALSE(kAllTypes.Contains(ElementType::kDynamic));
  EXPECT_FALSE(kAllTypes.Contains(static_cast<ElementType>(99)));
}

TEST(ElementTypeSetTest, NamedSetsAgreeWithTheTypes) {
  for (ElementType type : AllElementTypes()) {
    SCOPED_TRACE(ElementTypeName(type));
    EXPECT_EQ(kSubByteTypes.Contains(type), IsSubByte(type));
    EXPECT_EQ((kNumericTypes & kFloatTypes).Contains(type),
              IsFloat(type) && BitWidth(type) > 8);
    EXPECT_EQ(kIntegerTypes.Contains(type),
              IsInteger(type) && !IsSubByte(type));
    EXPECT_EQ(kSignedIntegerTypes.Contains(type),
              IsInteger(type) && IsSigned(type) && !IsSubByte(type));
  }
}

}  // namespace
}  // namespace dovetail
