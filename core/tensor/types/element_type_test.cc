#include "dovetail/core/tensor/types/element_type.h"

#include <limits>
#include <set>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

TEST(ElementType, AllAreListedOnceInOrder) {
  const auto types = AllElementTypes();
  ASSERT_EQ(types.size(), 26u);
  for (size_t i = 0; i < types.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(types[i]), i + 1);
  }
}

TEST(ElementType, NamesAreUniqueAndParseBack) {
  std::set<std::string> names;
  for (ElementType type : AllElementTypes()) {
    const std::string name(ElementTypeName(type));
    EXPECT_TRUE(names.insert(name).second) << name;
    const auto parsed = ParseElementType(name);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, type);
  }
}

TEST(ElementType, ParsesTheSpellingsOfPorts) {
  const std::pair<const char*, ElementType> spellings[] = {
      {"FP32", ElementType::kF32},
      {"FP16", ElementType::kF16},
      {"FP64", ElementType::kF64},
      {"BF16", ElementType::kBf16},
      {"BOOL", ElementType::kBoolean},
      {"BIN", ElementType::kU1},
      {"U1", ElementType::kU1},
      {"I64", ElementType::kI64},
      {"NF4", ElementType::kNf4},
      {"F8E4M3", ElementType::kF8E4M3},
      {"F4E2M1", ElementType::kF4E2M1},
      {"STRING", ElementType::kString},
      {"UNSPECIFIED", ElementType::kDynamic},
      {"undefined", ElementType::kDynamic},
      {"dynamic", ElementType::kDynamic},
      {"Boolean", ElementType::kBoolean},
  };
  for (const auto& [text, type] : spellings) {
    const auto parsed = ParseElementType(text);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, type) << text;
  }
}

TEST(ElementType, AnUnknownNameListsTheKnownOnes) {
  for (const char* text : {"", "f33", "f32 ", "float"}) {
    const auto parsed = ParseElementType(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument);
    const std::string message(parsed.status().message());
    EXPECT_NE(message.find("\"" + std::string(text) + "\""), std::string::npos);
    for (ElementType type : AllElementTypes()) {
      EXPECT_NE(message.find(std::string(ElementTypeName(type))),
                std::string::npos);
    }
  }
}

TEST(ElementType, WidthsAndKinds) {
  struct Row {
    ElementType type;
    int bits;
    bool is_float, is_integer, is_signed, is_sub_byte;
  };
  const Row rows[] = {
      {ElementType::kDynamic, 0, false, false, false, false},
      {ElementType::kBoolean, 8, false, false, false, false},
      {ElementType::kBf16, 16, true, false, true, false},
      {ElementType::kF16, 16, true, false, true, false},
      {ElementType::kF32, 32, true, false, true, false},
      {ElementType::kF64, 64, true, false, true, false},
      {ElementType::kF8E4M3, 8, true, false, true, false},
      {ElementType::kF8E5M2, 8, true, false, true, false},
      {ElementType::kF8E8M0, 8, true, false, true, false},
      {ElementType::kF4E2M1, 4, true, false, true, true},
      {ElementType::kNf4, 4, true, false, true, true},
      {ElementType::kI2, 2, false, true, true, true},
      {ElementType::kI4, 4, false, true, true, true},
      {ElementType::kI8, 8, false, true, true, false},
      {ElementType::kI16, 16, false, true, true, false},
      {ElementType::kI32, 32, false, true, true, false},
      {ElementType::kI64, 64, false, true, true, false},
      {ElementType::kU1, 1, false, true, false, true},
      {ElementType::kU2, 2, false, true, false, true},
      {ElementType::kU3, 3, false, true, false, true},
      {ElementType::kU4, 4, false, true, false, true},
      {ElementType::kU6, 6, false, true, false, true},
      {ElementType::kU8, 8, false, true, false, false},
      {ElementType::kU16, 16, false, true, false, false},
      {ElementType::kU32, 32, false, true, false, false},
      {ElementType::kU64, 64, false, true, false, false},
      {ElementType::kString, 8 * sizeof(std::string), false, false, false,
       false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(BitWidth(row.type), row.bits) << row.type;
    EXPECT_EQ(IsFloat(row.type), row.is_float) << row.type;
    EXPECT_EQ(IsInteger(row.type), row.is_integer) << row.type;
    EXPECT_EQ(IsSigned(row.type), row.is_signed) << row.type;
    EXPECT_EQ(IsSubByte(row.type), row.is_sub_byte) << row.type;
  }
}

TEST(ElementType, ANumberThatIsNoTypeCountsAsDynamic) {
  const auto stray = static_cast<ElementType>(200);
  EXPECT_EQ(ElementTypeName(stray), "dynamic");
  EXPECT_EQ(BitWidth(stray), 0);
  EXPECT_FALSE(ByteSize(stray, 1).ok());
}

TEST(ByteSize, RoundsUpToWholeBytesAndGroups) {
  struct Row {
    ElementType type;
    int64_t count, bytes;
  };
  const Row rows[] = {
      {ElementType::kU1, 0, 0},   {ElementType::kU1, 1, 1},
      {ElementType::kU1, 8, 1},   {ElementType::kU1, 9, 2},
      {ElementType::kU2, 4, 1},   {ElementType::kU2, 5, 2},
      {ElementType::kI2, 5, 2},   {ElementType::kU3, 1, 3},
      {ElementType::kU3, 8, 3},   {ElementType::kU3, 9, 6},
      {ElementType::kU6, 4, 3},   {ElementType::kU6, 5, 6},
      {ElementType::kI4, 3, 2},   {ElementType::kNf4, 4, 2},
      {ElementType::kF16, 3, 6},  {ElementType::kF64, 3, 24},
      {ElementType::kBoolean, 3, 3},
      {ElementType::kString, 2, 2 * sizeof(std::string)},
  };
  for (const Row& row : rows) {
    const auto bytes = ByteSize(row.type, row.count);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ(*bytes, row.bytes) << row.type << " " << row.count;
  }
}

TEST(ByteSize, RefusesWhatHasNoSize) {
  EXPECT_FALSE(ByteSize(ElementType::kDynamic, 1).ok());
  for (ElementType type : AllElementTypes()) {
    EXPECT_EQ(ByteSize(type, -1).status().code(),
              absl::StatusCode::kInvalidArgument);
    // Types of a byte or less fit even then.
    EXPECT_EQ(ByteSize(type, kHuge).ok(), BitWidth(type) <= 8) << type;
  }
}

TEST(ElementType, PrintsItsName) {
  std::ostringstream out;
  out << ElementType::kF8E5M2;
  EXPECT_EQ(out.str(), "f8e5m2");
}

}  // namespace
}  // namespace dovetail
