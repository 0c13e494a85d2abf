// The example finds what the expected outputs hold, in every scene.
#include "dovetail/examples/digit_detector/digits.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "dovetail/extensions/image/image.h"
#include "dovetail/extensions/npy/npy.h"
#include "gtest/gtest.h"

namespace digits {
namespace {

using dovetail::Tensor;

// Rows of the expected output from the example's threshold on, as digits.
std::vector<Digit> Expected(const Tensor& rows, const Tensor& picture) {
  std::vector<Digit> digits;
  const auto width = static_cast<float>(picture.shape()[1]);
  const auto height = static_cast<float>(picture.shape()[0]);
  for (int64_t i = 0; i < rows.shape()[2]; ++i) {
    const float* row = rows.data<float>() + i * 7;
    if (row[0] < 0) break;
    if (row[2] < 0.5f) continue;
    digits.push_back({static_cast<int>(row[1]) - 1, row[2], row[3] * width,
                      row[4] * height, row[5] * width, row[6] * height});
  }
  std::sort(digits.begin(), digits.end(),
            [](const Digit& a, const Digit& b) { return a.left < b.left; });
  return digits;
}

class DigitsTest : public ::testing::TestWithParam<int> {
 protected:
  // The bounds below are of f32, whatever else the environment asks for.
  DigitsTest() { setenv("DOVETAIL_INFERENCE_PRECISION_HINT", "f32", 1); }
};

TEST_P(DigitsTest, AgreesWithTheExpectedBoxes) {
  const std::string data = "examples/data/";
  const Tensor picture =
      dovetail::ReadImage(
          absl::StrCat(data, "pictures/scene_", GetParam(), ".png"))
          .value();
  const Tensor rows =
      dovetail::ReadNpy(absl::StrCat(data, "expected/digit_detector/scene_",
                                     GetParam(), ".npy"))
          .value();
  const std::vector<Digit> want = Expected(rows, picture);
  const absl::StatusOr<std::vector<Digit>> got =
      FindDigits(data + "models/digit_detector.xml", "REFERENCE", picture);
  ASSERT_TRUE(got.ok()) << got.status();
  ASSERT_EQ(got->size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    const Digit& digit = (*got)[i];
    EXPECT_EQ(digit.value, want[i].value);
    EXPECT_NEAR(digit.confidence, want[i].confidence, 1e-4);
    EXPECT_NEAR(digit.left, want[i].left, 0.03);
    EXPECT_NEAR(digit.top, want[i].top, 0.03);
    EXPECT_NEAR(digit.right, want[i].right, 0.03);
    EXPECT_NEAR(digit.bottom, want[i].bottom, 0.03);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, DigitsTest, ::testing::Range(0, 8));

TEST(DigitsErrorTest, AModelThatIsNotThereIsNamed) {
  const Tensor picture =
      Tensor::Allocate(dovetail::ElementType::kU8, {4, 4, 3}).value();
  const auto got = FindDigits("no_such_model.xml", "REFERENCE", picture);
  ASSERT_FALSE(got.ok());
  EXPECT_NE(got.status().message().find("no_such_model.xml"),
            std::string::npos);
}

}  // namespace
}  // namespace digits
