#include "dovetail/extensions/ir/reader/attributes/attributes_reader.h"

#include <clocale>
#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::ir {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

enum class Mode { kFirst, kSecond };

absl::Span<const EnumName> EnumNames(Mode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(Mode::kFirst), "first"},
      {static_cast<int>(Mode::kSecond), "second_one"},
      {static_cast<int>(Mode::kSecond), "old_second"}};
  return kNames;
}

struct AllKinds : AttributesOf<AllKinds> {
  bool flag = true;
  int64_t number = -5;
  uint64_t size = 5;
  double factor = 0.5;
  std::string text = "default";
  std::vector<int64_t> numbers = {1};
  std::vector<double> factors = {1};
  std::vector<std::string> words = {"one"};
  ElementType type = ElementType::kI64;
  PartialShape shape = {2, 2};
  Mode mode = Mode::kFirst;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("flag", flag);
    visitor.Visit("number", number);
    visitor.Visit("size", size);
    visitor.Visit("factor", factor);
    visitor.Visit("text", text);
    visitor.Visit("numbers", numbers);
    visitor.Visit("factors", factors);
    visitor.Visit("words", words);
    visitor.Visit("type", type);
    visitor.Visit("shape", shape);
    visitor.Visit("mode", mode);
  }
};

absl::Status Read(const std::string& data, AllKinds* attributes) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(("<data " + data + "/>").c_str()));
  AttributesReader reader(document.child("data"), 4, [] {
    return Tensor::Allocate(ElementType::kF32, Shape());
  });
  attributes->Visit(reader);
  return reader.status();
}

TEST(AttributesReaderTest, ReadsEveryKind) {
  AllKinds read;
  ASSERT_TRUE(Read("flag=\"False\" number=\"-7\" size=\"18446744073709551615\" "
                   "factor=\"1e-3\" text=\"a, b\" numbers=\"3,4\" "
                   "factors=\"0.5,-inf\" words=\"x, y\" type=\"f16\" "
                   "shape=\"1,?,2..3\" mode=\"Second_One\"",
                   &read)
                  .ok());
  EXPECT_FALSE(read.flag);
  EXPECT_EQ(read.number, -7);
  EXPECT_EQ(read.size, 18446744073709551615u);
  EXPECT_EQ(read.factor, 1e-3);
  EXPECT_EQ(read.text, "a, b");
  EXPECT_THAT(read.numbers, ElementsAre(3, 4));
  EXPECT_THAT(read.factors, ElementsAre(0.5, -INFINITY));
  EXPECT_THAT(read.words, ElementsAre("x", "y"));
  EXPECT_EQ(read.type, ElementType::kF16);
  EXPECT_EQ(read.shape, PartialShape({1, -1, Dimension(2, 3)}));
  EXPECT_EQ(read.mode, Mode::kSecond);
}

TEST(AttributesReaderTest, WhatIsMissingKeepsItsDefault) {
  AllKinds read;
  ASSERT_TRUE(Read("unknown=\"x\"", &read).ok());
  EXPECT_TRUE(Equal(read, AllKinds()));
}

TEST(AttributesReaderTest, NoDataIsNoAttributes) {
  AllKinds read;
  AttributesReader reader(pugi::xml_node(), 4, [] {
    return Tensor::Allocate(ElementType::kF32, Shape());
  });
  read.Visit(reader);
  EXPECT_TRUE(reader.status().ok());
  EXPECT_TRUE(Equal(read, AllKinds()));
}

TEST(AttributesReaderTest, EmptyTextIsAnEmptyListAndAScalarShape) {
  AllKinds read;
  ASSERT_TRUE(
      Read("numbers=\"\" factors=\"\" words=\"\" shape=\"\"", &read).ok());
  EXPECT_THAT(read.numbers, IsEmpty());
  EXPECT_THAT(read.factors, IsEmpty());
  EXPECT_THAT(read.words, IsEmpty());
  EXPECT_EQ(read.shape, PartialShape(std::vector<Dimension>()));
}

TEST(AttributesReaderTest, ErrorsShowAttributeValueAndWhatWouldBeRight) {
  const std::vector<std::vector<std::string>> cases = {
      {"flag=\"2\"", "'flag'", "'2'", "true"},
      {"number=\"1.5\"", "'number'", "'1.5'", "integer"},
      {"size=\"-1\"", "'size'", "'-1'", "unsigned"},
      {"factor=\"half\"", "'factor'", "'half'", "number"},
      {"numbers=\"1,b\"", "'numbers'", "'b'", "'1,b'"},
      {"factors=\"c\"", "'factors'", "'c'", "number"},
      {"type=\"f31\"", "'type'", "f31", "f32"},
      {"shape=\"1,2s\"", "'shape'", "2s", "dimension"},
      {"shape=\"1,1,1,1,1\"", "'shape'", "over 4", "dimensions"},
      {"mode=\"third\"", "'mode'", "'third'", "first, second_one, old_second"}};
  for (const auto& wrong : cases) {
    AllKinds read;
    EXPECT_THAT(Read(wrong[0], &read).message(),
                AllOf(HasSubstr(wrong[1]), HasSubstr(wrong[2]),
                      HasSubstr(wrong[3])));
  }
}

TEST(AttributesReaderTest, TheFirstErrorStays) {
  AllKinds read;
  const absl::Status status = Read("number=\"a\" factor=\"b\"", &read);
  EXPECT_THAT(status.message(), HasSubstr("'number'"));
  EXPECT_EQ(read.factor, 0.5);
}

TEST(AttributesReaderTest, NumbersDoNotDependOnTheLocale) {
  // Where there is no such locale, the classic one stays, and this tests less.
  const std::string before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  AllKinds read;
  EXPECT_TRUE(Read("factor=\"2.25\"", &read).ok());
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(read.factor, 2.25);
}

}  // namespace
}  // namespace dovetail::ir
