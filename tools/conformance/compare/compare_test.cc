#include "dovetail/tools/conformance/compare/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dovetail/tools/conformance/compare/detections.h"

namespace dovetail::conformance {
namespace {

using ::testing::HasSubstr;

constexpr Tolerance kExact = {};
constexpr Tolerance kLabels = {Tolerance::Kind::kLabels};

Tensor F32(const std::vector<double>& values) {
  return *Tensor::FromDoubles(ElementType::kF32,
                              {static_cast<int64_t>(values.size())}, values);
}

std::string Why(const absl::Status& status) {
  return std::string(status.message());
}

TEST(CompareTest, AllowsWhatTheToleranceSays) {
  const Tolerance tolerance = {Tolerance::Kind::kRelative, 0.1, 0.01};
  EXPECT_TRUE(CompareOutput(F32({101.05}), F32({100}), tolerance).ok());
  EXPECT_FALSE(CompareOutput(F32({101.2}), F32({100}), tolerance).ok());
}

TEST(CompareTest, NamesTheWorstElement) {
  const Tensor got = *Tensor::FromDoubles(ElementType::kF32, {2, 2},
                                          {1, 2, 3.5, 4.25});
  const Tensor want =
      *Tensor::FromDoubles(ElementType::kF32, {2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(Why(CompareOutput(got, want, kExact)),
              HasSubstr("2 of 4 elements wrong, the worst at [1,0]: 3.5, want "
                        "3 (difference 0.5)"));
}

TEST(CompareTest, NanEqualsNanAndInfinitiesMustMatch) {
  const Tolerance loose = {Tolerance::Kind::kRelative, 1e9, 1e9};
  EXPECT_TRUE(CompareOutput(F32({NAN, INFINITY}), F32({NAN, INFINITY}), kExact)
                  .ok());
  EXPECT_FALSE(CompareOutput(F32({1}), F32({NAN}), loose).ok());
  EXPECT_FALSE(CompareOutput(F32({-INFINITY}), F32({INFINITY}), loose).ok());
  EXPECT_FALSE(CompareOutput(F32({1}), F32({INFINITY}), {}).ok());
}

TEST(CompareTest, LargeIntegersAreComparedExactly) {
  const int64_t large = int64_t{1} << 60;
  const Tensor got = *Tensor::FromValues<int64_t>({1}, {large + 1});
  const Tensor want = *Tensor::FromValues<int64_t>({1}, {large});
  EXPECT_FALSE(CompareOutput(got, want, kExact).ok());
  EXPECT_TRUE(CompareOutput(want, want, kExact).ok());
}

TEST(CompareTest, TypesAndShapesMustMatch) {
  const Tensor i32 = *Tensor::FromDoubles(ElementType::kI32, {1}, {1});
  EXPECT_EQ(Why(CompareOutput(i32, F32({1}), kExact)), "type i32, want f32");
  EXPECT_EQ(Why(CompareOutput(F32({1, 2}), F32({1}), kExact)),
            "shape [2], want [1]");
}

TEST(CompareTest, TypesThatFilesLackAreWidened) {
  const Tensor i4 = *Tensor::FromDoubles(ElementType::kI4, {2}, {-3, 7});
  const Tensor i8 = *Tensor::FromDoubles(ElementType::kI8, {2}, {-3, 7});
  EXPECT_TRUE(CompareOutput(i4, i8, kExact).ok());
  const Tensor bf16 = *Tensor::FromDoubles(ElementType::kBf16, {1}, {1.5});
  EXPECT_TRUE(CompareOutput(bf16, F32({1.5}), kExact).ok());
}

TEST(CompareTest, OneLabelInAThousandMayDiffer) {
  std::vector<double> labels(2000, 1);
  const Tensor want = F32(labels);
  labels[7] = labels[8] = 2;
  EXPECT_TRUE(CompareOutput(F32(labels), want, kLabels).ok());
  labels[9] = 2;
  EXPECT_FALSE(CompareOutput(F32(labels), want, kLabels).ok());
}

TEST(CompareTest, AFileMayHoldASampleOfALargeOutput) {
  std::vector<double> all(kSampledAbove + 1), sample;
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<double>(i % 97);
  for (size_t i = 0; i < all.size(); i += kSampleStep) sample.push_back(all[i]);
  EXPECT_TRUE(CompareOutput(F32(all), F32(sample), kExact).ok());
  all[kSampleStep * 5] += 1;
  EXPECT_THAT(Why(CompareOutput(F32(all), F32(sample), kExact)),
              HasSubstr("the worst at [305]"));
}

TEST(CompareTest, StringsAreComparedAsTheyAre) {
  const Tensor a = *Tensor::FromValues<std::string>({2}, {"x", "y"});
  const Tensor b = *Tensor::FromValues<std::string>({2}, {"x", "z"});
  EXPECT_TRUE(CompareOutput(a, a, kExact).ok());
  EXPECT_EQ(Why(CompareOutput(a, b, kExact)), "'y' at [1], want 'z'");
}

constexpr Detection kCat = {1, 0.9, 0.1, 0.1, 0.5, 0.5};
constexpr Detection kDog = {2, 0.8, 0.6, 0.6, 0.9, 0.9};

TEST(DetectionsTest, TheOrderDoesNotCount) {
  EXPECT_TRUE(
      CompareDetections({kDog, kCat}, {kCat, kDog}, DetectionTolerance()).ok());
}

TEST(DetectionsTest, SaysWhatIsMissingOrTooMuch) {
  EXPECT_THAT(Why(CompareDetections({kCat}, {kCat, kDog}, {})),
              HasSubstr("missing detection: label 2, confidence 0.800"));
  EXPECT_THAT(Why(CompareDetections({kCat, kDog}, {kCat}, {})),
              HasSubstr("unexpected detection: label 2"));
}

TEST(DetectionsTest, ConfidenceAndOverlapMustBeNear) {
  Detection moved = kCat, unsure = kCat;
  moved.x1 += 0.1;
  unsure.confidence -= 0.05;
  EXPECT_FALSE(CompareDetections({moved}, {kCat}, {}).ok());
  EXPECT_FALSE(CompareDetections({unsure}, {kCat}, {}).ok());
  EXPECT_TRUE(
      CompareDetections({unsure}, {kCat}, DetectionToleranceFor(true)).ok());
}

TEST(DetectionsTest, RowsBelowTheThresholdDoNotCount) {
  Detection faint = kDog;
  faint.confidence = 0.29;
  EXPECT_TRUE(CompareDetections({kCat, faint}, {kCat}, {}).ok());
}

TEST(DetectionsTest, ReadsBothForms) {
  const Tensor rows = *Tensor::FromDoubles(
      ElementType::kF32, {1, 1, 2, 7},
      {0, 1, 0.9, 0.1, 0.2, 0.3, 0.4, -1, 0, 0, 0, 0, 0, 0});
  const auto seven = ReadDetections(rows, nullptr);
  ASSERT_TRUE(seven.ok()) << seven.status();
  ASSERT_EQ(seven->size(), 1);
  EXPECT_EQ(seven->at(0).label, 1);
  const Tensor boxes =
      *Tensor::FromDoubles(ElementType::kF32, {1, 5}, {1, 2, 3, 4, 0.5});
  const Tensor labels = *Tensor::FromDoubles(ElementType::kI64, {1}, {7});
  const auto five = ReadDetections(boxes, &labels);
  ASSERT_TRUE(five.ok()) << five.status();
  EXPECT_EQ(five->at(0).label, 7);
  EXPECT_EQ(five->at(0).confidence, 0.5);
  EXPECT_THAT(Why(ReadDetections(boxes, nullptr).status()),
              HasSubstr("holds no detections"));
}

}  // namespace
}  // namespace dovetail::conformance
