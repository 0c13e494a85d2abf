#include "dovetail/core/ops/convolution/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(ConvolutionOps());

TEST(ConvolutionTest, InfersShapes) {
  struct Case {
    const char* op;
    PartialShape data, kernel;
    TextAttributes attributes;
    const char* want;
  };
  const Case cases[] = {
      {"Convolution-1", {2, 3, 5, 7}, {4, 3, 3, 3}, {{"strides", "2,2"}},
       "f32[2,4,2,3]"},
      {"Convolution-1", {1, 3, 9}, {4, 3, 3},
       {{"dilations", "2"}, {"pads_begin", "1"}, {"pads_end", "2"}},
       "f32[1,4,8]"},
      {"Convolution-1", {1, 1, 4, 5, 6}, {2, 1, 1, 3, 3},
       {{"auto_pad", "same_upper"}, {"strides", "1,2,2"}}, "f32[1,2,4,3,3]"},
      {"Convolution-1", {1, 3, 5, 5}, {4, 3, 3, 3},
       {{"pads_begin", "-1,0"}, {"pads_end", "0,0"}}, "f32[1,4,2,3]"},
      // Intervals, and ranks that follow from other inputs or attributes.
      {"Convolution-1", {-1, 3, -1, Dimension(4, 9)}, {4, 3, 3, 3},
       {{"strides", "2,2"}}, "f32[?,4,1..,1..4]"},
      {"Convolution-1", PartialShape(), {4, 3, 3, 3}, {}, "f32[?,4,1..,1..]"},
      {"Convolution-1", {1, 3, 8, 8}, PartialShape(), {}, "f32[1,?,1..8,1..8]"},
      {"Convolution-1", PartialShape(), PartialShape(), {{"strides", "1"}},
       "f32[?,?,1..]"},
      {"Convolution-1", PartialShape(), PartialShape(), {}, "f32[...]"},
      {"GroupConvolution-1", {2, 6, 5, 5}, {3, 4, 2, 1, 1}, {},
       "f32[2,12,5,5]"},
      {"GroupConvolution-1", {2, 6, 5, 5}, {-1, 4, 2, 1, 1}, {},
       "f32[2,12,5,5]"},
      {"ConvolutionBackpropData-1", {2, 3, 5, 5}, {3, 4, 3, 3},
       {{"strides", "2,2"}, {"output_padding", "1,0"}}, "f32[2,4,12,11]"},
      {"ConvolutionBackpropData-1", {2, 3, -1, Dimension(2, 5)}, {3, 4, 3, 3},
       {{"strides", "2,2"}}, "f32[2,4,3..,5..11]"},
      {"GroupConvolutionBackpropData-1", {2, 6, 5}, {3, 2, 4, 3},
       {{"pads_begin", "1"}, {"pads_end", "1"}}, "f32[2,12,5]"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(tester.Shapes(c.op, {F32(c.data), F32(c.kernel)}, c.attributes),
              c.want)
        << c.op << " " << c.data << " " << c.kernel;
  }
}

TEST(ConvolutionTest, TakesExtentsOfBackpropFromInput) {
  EXPECT_EQ(tester.Shapes("ConvolutionBackpropData-1",
                          {F32({1, 3, 5, 5}), F32({3, 4, 3, 3}), Ints({9, 10})},
                          {{"strides", "2,2"}, {"auto_pad", "same_lower"}}),
            "f32[1,4,9,10]");
  EXPECT_EQ(tester.Shapes("ConvolutionBackpropData-1",
                          {F32({1, 3, 5, 5}), F32({3, 4, 3, 3}), I64({2})}),
            "f32[1,4,?,?]");
  EXPECT_THAT(tester.Error("ConvolutionBackpropData-1",
                           {F32({1, 3, 5, 5}), F32({3, 4, 3, 3}), Ints({9})}),
              HasSubstr("input 2 (output_shape) has shape [1], want [2]"));
}

TEST(ConvolutionTest, SaysWhatIsWrong) {
  struct Case {
    PartialShape data, kernel;
    TextAttributes attributes;
    const char* want;
  };
  const Case cases[] = {
      {{1, 4, 5, 5}, {4, 3, 3, 3}, {},
       "data of shape [1,4,5,5] has 4 channels, and the kernel of shape "
       "[4,3,3,3] wants 3"},
      {{1, 3, 5, 5}, {4, 3, 3}, {}, "want rank 4"},
      {{1, 3}, {4, 3}, {}, "has 0 spatial axes, want 1 to 3"},
      {{1, 3, 2, 5}, {4, 3, 3, 3}, {},
       "along spatial axis 0 a window spans 3 elements (kernel 3, dilation 1) "
       "and the padded input has only 2"},
      {{1, 3, 5, 5}, {4, 3, 0, 3}, {}, "the kernel has extent 0"},
      {{1, 3, 5, 5}, {4, 3, 3, 3}, {{"strides", "0,1"}},
       "attribute 'strides' has the value 0, want 1 to"},
      {{1, 3, 5, 5}, {4, 3, 3, 3}, {{"dilations", "1"}},
       "attribute 'dilations' has 1 values, want 2"},
      {{1, 3, 5, 5}, {4, 3, 3, 3}, {{"pads_end", "0,9223372036854775807"}},
       "attribute 'pads_end' has the value 9223372036854775807"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(
        tester.Error("Convolution-1", {F32(c.data), F32(c.kernel)},
                     c.attributes),
        HasSubstr(c.want));
  }
  EXPECT_THAT(tester.Error("Convolution-1", {F32({1, 3, 5}), I32({4, 3, 1})}),
              HasSubstr("i32"));
  EXPECT_THAT(
      tester.Error("GroupConvolution-1", {F32({1, 3, 5}), F32({0, 1, 1, 1})}),
      HasSubstr("has no groups"));
}

TEST(BinaryConvolutionTest, InfersAndChecks) {
  const InputSpec kernel = Typed(ElementType::kU1, {8, 4, 3, 3});
  EXPECT_EQ(tester.Shapes("BinaryConvolution-1", {F32({1, 4, 5, -1}), kernel},
                          {{"pads_begin", "1,1"}, {"pads_end", "1,1"}}),
            "f32[1,8,5,1..]");
  EXPECT_THAT(tester.Error("BinaryConvolution-1",
                           {F32({1, 4, 5, 5}), F32({8, 4, 3, 3})}),
              HasSubstr("input 1 has type f32, want u1"));
  EXPECT_THAT(tester.Error("BinaryConvolution-1", {F32({1, 4, 5, 5}), kernel},
                           {{"pad_value", "nan"}}),
              HasSubstr("'pad_value'"));
}

TEST(DeformableConvolutionTest, InfersAndChecks) {
  const InputSpec data = F32({1, 4, 5, 5});
  const InputSpec offsets = F32({1, 36, 3, 3});
  const InputSpec kernel = F32({8, 2, 3, 3});
  const TextAttributes groups = {{"group", "2"}, {"deformable_group", "2"}};
  EXPECT_EQ(tester.Shapes("DeformableConvolution-1", {data, offsets, kernel},
                          groups),
            "f32[1,8,3,3]");
  EXPECT_EQ(tester.Shapes("DeformableConvolution-8",
                          {F32({-1, 4, -1, 5}), offsets, kernel,
                           F32({1, 18, 3, 3})},
                          groups),
            "f32[1,8,3,3]");
  // What the data does not tell, offsets and mask do.
  EXPECT_EQ(tester.Shapes("DeformableConvolution-8",
                          {F32({-1, 4, -1, 5}), F32({-1, 36, -1, 3}), kernel,
                           F32({Dimension(2, 4), 18, -1, 3})},
                          groups),
            "f32[2..4,8,1..,3]");
  EXPECT_THAT(tester.Error("DeformableConvolution-8", {data, offsets, kernel},
                           {{"group", "2"}, {"deformable_group", "4"}}),
              HasSubstr("input 1 has shape [1,36,3,3], want [1,72,3,3]"));
  EXPECT_THAT(tester.Error("DeformableConvolution-8", {data, offsets, kernel},
                           {{"group", "0"}}),
              HasSubstr("attribute 'group' is 0"));
  EXPECT_THAT(
      tester.Error("DeformableConvolution-8",
                   {data, offsets, F32({7, 2, 3, 3})}, groups),
      HasSubstr("want extent 0 to be a multiple of 'group' = 2"));
}

}  // namespace
}  // namespace dovetail
