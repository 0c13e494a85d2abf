#include "dovetail/core/ops/quantization/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(QuantizationOps());

// FakeQuantize with four ends of one shape.
std::vector<InputSpec> WithEnds(PartialShape data, PartialShape ends) {
  return {F32(data), F32(ends), F32(ends), F32(ends), F32(ends)};
}

TEST(FakeQuantizeTest, KeepsShape) {
  struct Case {
    PartialShape data, ends;
    const char* mode;
    const char* want;
  };
  const Case cases[] = {
      {{1, 2, 3}, Shape(), "numpy", "f32[1,2,3]"},
      {{1, -1, 3}, {1, 1}, "numpy", "f32[1,?,3]"},
      {{1, -1, 3}, {2, 1}, "numpy", "f32[1,2,3]"},
      {{Dimension(1, 4)}, PartialShape(), "numpy", "f32[1..4]"},
      {PartialShape(), {1, 2, 1}, "numpy", "f32[...]"},
      {{5}, {1, 1, 1}, "numpy", "f32[5]"},
      {{2, 3}, {2}, "pdpd", "f32[2,3]"},
      {{2, 3}, {2, 3}, "none", "f32[2,3]"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(tester.Shapes("FakeQuantize-0", WithEnds(c.data, c.ends),
                            {{"levels", "256"}, {"auto_broadcast", c.mode}}),
              c.want)
        << c.data << c.ends;
  }
}

TEST(FakeQuantizeTest, SaysWhatIsWrong) {
  const auto error = [](std::vector<InputSpec> inputs,
                        TextAttributes attributes) {
    return tester.Error("FakeQuantize-0", inputs, attributes);
  };
  EXPECT_THAT(error(WithEnds({2}, {1}), {}), HasSubstr("'levels' is 0"));
  EXPECT_THAT(error(WithEnds({2}, {1}), {{"levels", "1"}}),
              HasSubstr("want at least 2"));
  EXPECT_THAT(error(WithEnds({2, 3}, {2}), {{"levels", "2"}}),
              HasSubstr("input 1 of shape [2] does not broadcast to data of "
                        "shape [2,3]"));
  EXPECT_THAT(error(WithEnds({1, 3}, {2, 3}), {{"levels", "2"}}),
              HasSubstr("does not broadcast"));
  EXPECT_THAT(error(WithEnds({3}, {2, 1}), {{"levels", "2"}}),
              HasSubstr("does not broadcast"));
  EXPECT_THAT(
      error(WithEnds({3}, {1}), {{"levels", "2"}, {"auto_broadcast", "none"}}),
      HasSubstr("does not broadcast"));
  std::vector<InputSpec> texts(5, Typed(ElementType::kString, {1}));
  EXPECT_THAT(error(texts, {{"levels", "2"}}),
              HasSubstr("want a numeric type or boolean"));
}

TEST(FakeConvertTest, KeepsShape) {
  EXPECT_EQ(tester.Shapes("FakeConvert-13", {F32({-1, 3}), F32({3})}),
            "f32[?,3]");
  EXPECT_EQ(tester.Shapes("FakeConvert-13",
                          {F32({2, 3}), F32(Shape()), F32({2, 1})},
                          {{"destination_type", "f8e5m2"}}),
            "f32[2,3]");
  EXPECT_THAT(tester.Error("FakeConvert-13", {F32({2}), F32({1})},
                           {{"destination_type", "f8e8m0"}}),
              HasSubstr("attribute 'destination_type' is f8e8m0"));
  EXPECT_THAT(tester.Error("FakeConvert-13", {F32({2}), F32({3})}),
              HasSubstr("input 1 of shape [3]"));
  EXPECT_THAT(tester.Error("FakeConvert-13",
                           {F32({2}), Typed(ElementType::kF16, {1})}),
              HasSubstr("f16"));
}

}  // namespace
}  // namespace dovetail
