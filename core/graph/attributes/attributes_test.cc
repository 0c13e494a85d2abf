#include "dovetail/core/graph/attributes.h"

#include <cmath>
#include <limits>

#include "dovetail/core/graph/attributes/attribute_text.h"
#include "dovetail/core/graph/attributes/hashing.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

EverythingAttributes Filled() {
  EverythingAttributes all;
  all.flag = true;
  all.count = -3;
  all.seed = std::numeric_limits<uint64_t>::max();
  all.factor = 0.1;
  all.text = "say \"hi\"\n";
  all.counts = {1, -2};
  all.factors = {0.5, -std::numeric_limits<double>::infinity()};
  all.texts = {"a", "b, c"};
  all.type = ElementType::kI8;
  all.shape = PartialShape{1, Dimension(), Dimension(2, 8)};
  all.tensor = *Tensor::FromDoubles(ElementType::kF32, {2}, {0.1, 2});
  all.flavour = Flavour::kSour;
  return all;
}

TEST(AttributesTest, TextShowsEveryTypeInOrder) {
  EXPECT_EQ(ToString(Filled()),
            "{flag: true, count: -3, seed: 18446744073709551615, factor: 0.1, "
            "text: \"say \\\"hi\\\"\\n\", counts: [1, -2], factors: [0.5, "
            "-inf], texts: [\"a\", \"b, c\"], type: i8, shape: [1,?,2..8], "
            "tensor: f32[2] {0.1, 2}, flavour: sour}");
  EXPECT_EQ(ToString(NoAttributes()), "{}");
}

TEST(AttributesTest, CloneIsEqualAndHashesEqual) {
  const EverythingAttributes all = Filled();
  const auto clone = all.Clone();
  EXPECT_TRUE(Equal(all, *clone));
  EXPECT_EQ(Hash(all), Hash(*clone));
}

TEST(AttributesTest, EveryMemberCounts) {
  const EverythingAttributes all = Filled();
  std::vector<EverythingAttributes> changed(12, all);
  changed[0].flag = false;
  changed[1].count = 3;
  changed[2].seed = 3;
  changed[3].factor = 3;
  changed[4].text = "";
  changed[5].counts = {1};
  changed[6].factors = {0.5};
  changed[7].texts = {"a", "b", " c"};
  changed[8].type = ElementType::kU8;
  changed[9].shape = PartialShape{1};
  changed[10].tensor = *Tensor::FromDoubles(ElementType::kF32, {2}, {0.1, 3});
  changed[11].flavour = Flavour::kSweet;
  for (size_t i = 0; i < changed.size(); ++i) {
    EXPECT_FALSE(Equal(all, changed[i])) << i;
    EXPECT_NE(Hash(all), Hash(changed[i])) << i;
  }
}

TEST(AttributesTest, StructsOfOtherOperationsDiffer) {
  EXPECT_FALSE(Equal(NoAttributes(), SplitAttributesForTest()));
}

TEST(AttributesTest, NotANumberEqualsItself) {
  EverythingAttributes a = Filled(), b = Filled();
  a.factor = b.factor = std::nan("");
  EXPECT_TRUE(Equal(a, b));
}

TEST(AttributesTest, FindsTextsByName) {
  EXPECT_EQ(FindStringAttribute(Filled(), "text"), "say \"hi\"\n");
  EXPECT_EQ(FindStringAttribute(Filled(), "count"), std::nullopt);
  EXPECT_EQ(FindStringAttribute(Filled(), "other"), std::nullopt);
}

TEST(AttributeTextTest, NumbersReadBack) {
  EXPECT_EQ(NumberText(0.1f), "0.1");
  EXPECT_EQ(NumberText(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(NumberText(-0.0), "-0");
  EXPECT_EQ(NumberText(std::nan("")), "nan");
}

TEST(AttributeTextTest, IntegersKeepAllDigits) {
  const int64_t big = (int64_t{1} << 53) + 1;
  EXPECT_EQ(TensorText(*Tensor::FromValues<int64_t>({1}, {big}), 4),
            "i64[1] {9007199254740993}");
  EXPECT_EQ(TensorText(*Tensor::FromValues<int32_t>({}, {16777217}), 4),
            "i32[] {16777217}");
  EXPECT_EQ(TensorText(*Tensor::FromValues<std::string>({1}, {"a\"b"}), 4),
            "string[1] {\"a\\\"b\"}");
}

TEST(AttributeTextTest, CutsLongTensorsShort) {
  const Tensor ten = *Tensor::Allocate(ElementType::kU8, {10});
  EXPECT_EQ(TensorText(ten, 2), "u8[10] {0, 0, …}");
  EXPECT_EQ(TensorText(ten, 0), "u8[10] {…}");
}

TEST(HashingTest, IsTheSameInEveryProcess) {
  // What every process computes: a change of it makes old caches useless.
  StableHash hash;
  hash.AddText("dovetail");
  hash.AddDouble(1.5);
  EXPECT_EQ(hash.value(), 0xdc6f76ada8abebf8u);
}

TEST(HashingTest, UnusedBitsDoNotCount) {
  const auto make = [](uint8_t unused) {
    const Tensor tensor = *Tensor::Allocate(ElementType::kU4, {1});
    static_cast<uint8_t*>(tensor.mutable_raw_data())[0] = unused;
    tensor.SetElement(0, 5);
    return tensor;
  };
  StableHash a, b;
  a.AddTensor(make(0x00));
  b.AddTensor(make(0xff));
  EXPECT_EQ(a.value(), b.value());
}

TEST(HashingTest, TypeAndShapeCount) {
  StableHash a, b, c;
  a.AddTensor(*Tensor::Allocate(ElementType::kU8, {4}));
  b.AddTensor(*Tensor::Allocate(ElementType::kI8, {4}));
  c.AddTensor(*Tensor::Allocate(ElementType::kU8, {2, 2}));
  EXPECT_NE(a.value(), b.value());
  EXPECT_NE(a.value(), c.value());
}

}  // namespace
}  // namespace dovetail
