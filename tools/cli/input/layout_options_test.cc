#include "dovetail/tools/cli/input/layout_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/reference/evaluate.h"
#include "dovetail/testing/graphs/small_models.h"

namespace dovetail::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// y = x + 1 of f32[1,2,1,3], tensors "x" and "y".
Model PlusOne() {
  return ModelOf(R"(model "plus_one"
    %x = Parameter-0() {shape: [1,2,1,3], element_type: f32} : f32[1,2,1,3] "x"
    %one = Constant-0() {value: f32[] {1}} : f32[]
    %y = Add-1(%x, %one) {auto_broadcast: numpy} : f32[1,2,1,3] "y"
    %o = Result-0(%y) {}  # out)");
}

absl::Status Apply(const std::vector<std::string>& words, Model& model) {
  return ApplyLayouts(*Arguments::Parse(LayoutFlags(), words), model);
}

std::string ErrorOf(const std::vector<std::string>& words) {
  Model model = PlusOne();
  const absl::Status status = Apply(words, model);
  EXPECT_FALSE(status.ok());
  return std::string(status.message());
}

TEST(LayoutOptionsTest, AnInputIsTransposedBehindItsDoor) {
  for (const std::string input : {"0", "x"}) {
    Model model = PlusOne();
    ASSERT_TRUE(Apply({"--layout=" + input + "=NHWC:NCHW"}, model).ok());
    EXPECT_EQ(model.parameters()[0]->port().shape, PartialShape({1, 1, 3, 2}));
    const auto results = EvaluateModel(
        model, {Floats({1, 1, 3, 2}, {0, 1, 2, 3, 4, 5})}, {});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(results->front().shape(), Shape({1, 2, 1, 3}));
    EXPECT_THAT(ToDoubleVector(results->front()),
                ElementsAre(1, 3, 5, 2, 4, 6));
  }
}

TEST(LayoutOptionsTest, AnOutputIsTransposedBeforeItsDoor) {
  Model model = PlusOne();
  ASSERT_TRUE(
      Apply({"--output-layout=y=N...:...N", "--layout=0=[n,w,h,c]:[n,c,h,w]"},
            model)
          .ok());
  const auto results =
      EvaluateModel(model, {Floats({1, 3, 1, 2}, {0, 1, 2, 3, 4, 5})}, {});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->front().shape(), Shape({2, 1, 3, 1}));
}

TEST(LayoutOptionsTest, WithoutFlagsTheModelStaysAsItIs) {
  Model model = PlusOne();
  const size_t nodes = model.nodes().size();
  ASSERT_TRUE(Apply({}, model).ok());
  EXPECT_EQ(model.nodes().size(), nodes);
}

TEST(LayoutOptionsTest, MistakesAreNamed) {
  for (const char* text : {"NHWC", "0=NHWC", "0=NHWC:NCHW:NC", "=NHWC:NCHW"}) {
    EXPECT_THAT(ErrorOf({std::string("--layout=") + text}),
                HasSubstr("want --layout=INPUT=GIVEN:MODEL"));
  }
  EXPECT_THAT(ErrorOf({"--layout=z=NHWC:NCHW"}), HasSubstr("'z'"));
  EXPECT_THAT(ErrorOf({"--layout=0=NHHC:NCHW"}),
              HasSubstr("--layout=0=NHHC:NCHW"));
  EXPECT_THAT(ErrorOf({"--layout=0=NHWC:NCHW", "--layout=x=NHWC:NCHW"}),
              HasSubstr("it is given twice"));
  EXPECT_THAT(ErrorOf({"--layout=0=NHW:NCHW"}), HasSubstr("input"));
  EXPECT_THAT(ErrorOf({"--output-layout=0=NHWC:NCHX"}), HasSubstr("output"));
}

}  // namespace
}  // namespace dovetail::cli
