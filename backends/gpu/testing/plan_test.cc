#include "dovetail/backends/gpu/testing/plan_test.h"

#include "dovetail/backends/gpu/testing/compare_plans.h"

namespace dovetail::gpu {

void PlanTest::SetUp() {
  if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
}

void PlanTest::ExpectPlan(const std::string& model,
                          const testing::Matcher<std::string>& kernels) {
  for (const int lanes : {16, 4, 1}) {
    const ComparedPlan compared = ComparePlan(model, lanes);
    EXPECT_EQ(compared.message, "") << lanes << " lanes\n" << model;
    EXPECT_THAT(compared.kernels, kernels) << lanes << " lanes\n" << model;
  }
}

}  // namespace dovetail::gpu
