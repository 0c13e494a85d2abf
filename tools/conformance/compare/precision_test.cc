#include "dovetail/tools/conformance/compare/precision.h"

#include <gtest/gtest.h>

#include <vector>

#include "dovetail/tools/conformance/compare/compare.h"

namespace dovetail::conformance {
namespace {

Tensor F32(const std::vector<double>& values) {
  return *Tensor::FromDoubles(ElementType::kF32,
                              {static_cast<int64_t>(values.size())}, values);
}

// Whether one output is near enough to what is expected.
bool IsNear(const Tensor& got, const Tensor& want, double share,
            Tolerance tolerance = {}) {
  return CompareOutput(got, want,
                       WithPrecision(tolerance, {"bf16", share}, {want}, 0))
      .ok();
}

TEST(PrecisionTest, F32ChangesNothing) {
  Tolerance tolerance;
  tolerance.absolute = 1e-5;
  EXPECT_EQ(WithPrecision(tolerance, {}, {F32({100, 1})}, 0).absolute, 1e-5);
}

TEST(PrecisionTest, NumbersMayBeOffByAPartOfTheGreatest) {
  EXPECT_TRUE(IsNear(F32({100, 1.9}), F32({100, 1}), 0.01));
  EXPECT_FALSE(IsNear(F32({100, 2.1}), F32({100, 1}), 0.01));
}

TEST(PrecisionTest, OutputsOfOneShapeHaveOneScale) {
  const std::vector<Tensor> want = {F32({100}), F32({1}), F32({1000, 1000})};
  EXPECT_EQ(WithPrecision({}, {"bf16", 0.01}, want, 1).absolute, 1);
}

TEST(PrecisionTest, WholeNumbersStayExact) {
  const auto number = [](double value) {
    return *Tensor::FromDoubles(ElementType::kI32, {2}, {1000, value});
  };
  EXPECT_TRUE(IsNear(number(7), number(7), 0.01));
  EXPECT_FALSE(IsNear(number(7), number(8), 0.01));
}

TEST(PrecisionTest, MoreLabelsMayDiffer) {
  Tolerance labels;
  labels.kind = Tolerance::Kind::kLabels;
  std::vector<double> values(1000, 1);
  const Tensor want = F32(values);
  for (int i = 0; i < 9; ++i) values[i] = 2;
  EXPECT_FALSE(IsNear(F32(values), want, 0, labels));
  EXPECT_TRUE(IsNear(F32(values), want, 0.01, labels));
}

}  // namespace
}  // namespace dovetail::conformance
