#include "dovetail/core/ops/normalization/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(NormalizationOps());

TEST(NormalizationTest, KeepsShapes) {
  struct Case {
    const char* op;
    std::vector<InputSpec> inputs;
    TextAttributes attributes;
    const char* want;
  };
  const Case cases[] = {
      {"Softmax-1", {F32({2, 3})}, {}, "f32[2,3]"},
      {"Softmax-8", {F32({-1, Dimension(2, 4)})}, {{"axis", "-2"}},
       "f32[?,2..4]"},
      {"Softmax-8", {F32(PartialShape())}, {{"axis", "7"}}, "f32[...]"},
      {"Softmax-8", {F32(Shape())}, {{"axis", "0"}}, "f32[]"},
      {"LogSoftmax-5", {Typed(ElementType::kF16, {2, 3})}, {}, "f16[2,3]"},
      {"MVN-0", {F32({1, -1, 4})}, {}, "f32[1,?,4]"},
      {"MVN-0", {F32({1, 2, 4})}, {{"reduction_axes", "-1"}}, "f32[1,2,4]"},
      {"MVN-6", {F32({1, -1}), Ints({-1})}, {{"eps_mode", "outside_sqrt"}},
       "f32[1,?]"},
      {"MVN-6", {F32(PartialShape()), Ints({9})}, {}, "f32[...]"},
      {"MVN-6", {F32({1, 2}), I64({-1})}, {}, "f32[1,2]"},
      {"NormalizeL2-0", {F32({1, 2}), Int(1)}, {{"eps_mode", "max"}},
       "f32[1,2]"},
      {"GRN-0", {F32({1, -1})}, {}, "f32[1,?]"},
      {"LRN-0", {F32({1, 2}), Ints({1})}, {{"size", "5"}}, "f32[1,2]"},
      {"BatchNormInference-5",
       {F32({-1, -1, 5}), F32({-1}), F32({3}), F32({3}), F32(PartialShape())},
       {{"epsilon", "0.1"}}, "f32[?,3,5]"},
      {"BatchNormInference-0",
       {F32({3}), F32({3}), F32({2, 3}), F32({3}), F32({3})}, {}, "f32[2,3]"},
      {"GroupNormalization-12", {F32({1, -1, 5}), F32({6}), F32({6})},
       {{"num_groups", "3"}}, "f32[1,6,5]"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(tester.Shapes(c.op, c.inputs, c.attributes), c.want) << c.op;
  }
}

TEST(NormalizationTest, SaysWhatIsWrong) {
  struct Case {
    const char* op;
    std::vector<InputSpec> inputs;
    TextAttributes attributes;
    const char* want;
  };
  const InputSpec matrix = F32({2, 3});
  const Case cases[] = {
      {"Softmax-1", {matrix}, {{"axis", "-1"}}, "attribute 'axis' is -1"},
      {"Softmax-8", {matrix}, {{"axis", "2"}}, "axis 2 is outside of [-2, 1]"},
      {"Softmax-8",
       {Typed(ElementType::kString, {2, 3})},
       {},
       "want a numeric type or boolean"},
      {"LogSoftmax-5", {F32(Shape())}, {{"axis", "1"}}, "axis 1 is outside"},
      {"MVN-6", {matrix, Ints({1, -3})}, {}, "axis -3 is outside"},
      {"MVN-6", {matrix, F32({1})}, {}, "input 1 has type f32"},
      {"NormalizeL2-0", {matrix, I64({1, 1})}, {}, "input 1 has shape [1,1]"},
      {"GRN-0", {F32({2})}, {}, "input 0 has shape [2]"},
      {"LRN-0", {matrix, Ints({1})}, {}, "attribute 'size' is 0"},
      {"BatchNormInference-5",
       {matrix, F32({3}), F32({2}), F32({3}), F32({3})}, {},
       "input 2 has 2 elements, want one for each of 3 channels"},
      {"BatchNormInference-5",
       {matrix, F32({3}), F32({3}), F32({3}), F32({3})},
       {{"epsilon", "-1"}}, "attribute 'epsilon' is -1"},
      {"BatchNormInference-5",
       {F32({3}), F32({3}), F32({3}), F32({3}), F32({3})}, {},
       "input 0 has shape [3]"},
      {"GroupNormalization-12", {matrix, F32({3}), F32({3})},
       {{"num_groups", "2"}}, "does not divide 3 channels"},
      {"GroupNormalization-12", {matrix, F32({3}), F32({3})}, {},
       "attribute 'num_groups' is 0"},
      {"GroupNormalization-12",
       {matrix, Typed(ElementType::kF16, {3}), F32({3})},
       {{"num_groups", "3"}}, "f16"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(tester.Error(c.op, c.inputs, c.attributes), HasSubstr(c.want))
        << c.op;
  }
}

}  // namespace
}  // namespace dovetail
