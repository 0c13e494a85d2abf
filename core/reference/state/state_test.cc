// What ReadValue and Assign do with variables.
#include "dovetail/core/ops/state/table.h"
#include "dovetail/core/reference/state/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester tester(StateOps(), StateKernels());
const TextAttributes kAssign = {{"variable_id", "v"}};
const TextAttributes kRead = {{"variable_id", "v"},
                              {"variable_type", "f32"},
                              {"variable_shape", "2"}};

TEST(VariableTest, ReadsTheInitialValueUntilAssigned) {
  VariableValues variables;
  KernelEnvironment environment;
  environment.variables = &variables;
  const Tensor initial = Floats({2}, {1, 2});
  EXPECT_EQ(tester.Run("ReadValue-6", {initial}, kRead, environment),
            "f32[2] {1, 2}");
  EXPECT_EQ(tester.Run("ReadValue-6", {}, kRead, environment),
            "f32[2] {0, 0}");
  const Tensor next = Floats({2}, {3, 4});
  EXPECT_EQ(tester.Run("Assign-6", {next}, kAssign, environment),
            "f32[2] {3, 4}");
  next.SetElement(0, 9);  // the variable has a copy
  EXPECT_EQ(tester.Run("ReadValue-6", {initial}, kRead, environment),
            "f32[2] {3, 4}");
}

TEST(VariableTest, NeedsAPlaceAndAName) {
  EXPECT_THAT(tester.Run("ReadValue-6", {Floats({2}, {1, 2})}, kRead),
              HasSubstr("nowhere to keep variables"));
  VariableValues variables;
  KernelEnvironment environment;
  environment.variables = &variables;
  EXPECT_THAT(tester.Run("Assign-6", {Floats({2}, {1, 2})},
                         {{"variable_id", ""}}, environment),
              HasSubstr("variable_id is empty"));
}

}  // namespace
}  // namespace dovetail
