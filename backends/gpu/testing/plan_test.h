// Fixture of tests of emitters, which compare plans for all kinds of devices.
#ifndef DOVETAIL_BACKENDS_GPU_TESTING_PLAN_TEST_H_
#define DOVETAIL_BACKENDS_GPU_TESTING_PLAN_TEST_H_

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {

class PlanTest : public testing::Test {
 protected:
  // Skips the test where there is no device.
  void SetUp() override;

  // Expects that a model (see ComparePlan) gives what the reference kernels do,
  // by kernels that match `kernels` (ComparedPlan::kernels); by vectors of 16
  // lanes, and as on devices of other kinds.
  static void ExpectPlan(const std::string& model,
                         const testing::Matcher<std::string>& kernels);
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_TESTING_PLAN_TEST_H_
