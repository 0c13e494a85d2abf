#include "dovetail/tools/comparing/sensitive_layers.h"

#include <algorithm>

#include "dovetail/testing/graphs/random_model.h"
#include "dovetail/transformations/common/precise.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::comparing {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Those that are needed, of `count`; `asked` counts the questions.
std::vector<int> Least(int count, std::vector<int> needed, int& asked) {
  const auto holds = [&](const std::vector<int>& kept) -> absl::StatusOr<bool> {
    ++asked;
    return std::includes(kept.begin(), kept.end(), needed.begin(),
                         needed.end());
  };
  return LeastThatHolds(count, holds).value();
}

TEST(LeastThatHoldsTest, LeavesWhatIsNeeded) {
  int asked = 0;
  EXPECT_THAT(Least(100, {3, 77}, asked), ElementsAre(3, 77));
  EXPECT_LT(asked, 60);
  EXPECT_THAT(Least(1, {0}, asked), ElementsAre(0));
  EXPECT_THAT(Least(5, {0, 1, 2, 3, 4}, asked), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(Least(7, {}, asked), IsEmpty());
  EXPECT_THAT(Least(0, {}, asked), IsEmpty());
}

TEST(LeastThatHoldsTest, PassesErrorsOn) {
  const auto fails = [](const std::vector<int>&) -> absl::StatusOr<bool> {
    return absl::UnavailableError("lost");
  };
  EXPECT_EQ(LeastThatHolds(3, fails).status().message(), "lost");
}

// The second product takes the difference of sums that are nearly the same, so
// that what the first one rounds is all that is left.
constexpr char kModel[] = R"(
  %x = Parameter-0() {shape: [64,64], element_type: f32}  # x
  %w = Parameter-0() {shape: [64,64], element_type: f32}  # constant_0
  %v = Parameter-0() {shape: [64,64], element_type: f32}  # constant_1
  %a = MatMul-0(%x, %w) {transpose_a: false, transpose_b: false}  # first
  %b = MatMul-0(%a, %v) {transpose_a: false, transpose_b: false}  # second
  %o = Result-0(%b) {}  # out
)";

// Whatever the processor: within the bound where that is possible, and nothing
// marked where nothing is computed in fewer bits.
TEST(SensitiveLayersTest, OutputsAreWithinTheBound) {
  const Model model = ParseWithConstants(kModel).value();
  const Tensor x = Tensor::FromDoubles(ElementType::kF32, {64, 64},
                                       std::vector<double>(64 * 64, 0.7))
                       .value();
  const Core core;
  const Side want = {"CPU", {{"INFERENCE_PRECISION_HINT", "f32"}}};
  const auto expected = InferOn(core, model, want, {x});
  ASSERT_TRUE(expected.ok()) << expected.status();
  for (const char* const precision : {"f32", "bf16"}) {
    const Side got = {"CPU", {{"INFERENCE_PRECISION_HINT", precision}}};
    const auto found =
        FindSensitiveLayers(core, model, {x}, *expected, got, /*bound=*/1e-5);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->candidates, 2);
    EXPECT_TRUE(found->is_possible);
    EXPECT_LE(found->with, 1e-5);
    if (found->without <= 1e-5) {
      EXPECT_THAT(found->layers, IsEmpty());
    } else {
      EXPECT_FALSE(found->layers.empty());
    }
  }
}

TEST(SensitiveLayersTest, MarksLayersByName) {
  Model model = ParseWithConstants(kModel).value();
  MarkLayers(model, {"second", "x", "none"});
  EXPECT_TRUE(IsPrecise(*model.FindNode("second")));
  EXPECT_FALSE(IsPrecise(*model.FindNode("first")));
  EXPECT_FALSE(IsPrecise(*model.FindNode("x")));
}

}  // namespace
}  // namespace dovetail::comparing
