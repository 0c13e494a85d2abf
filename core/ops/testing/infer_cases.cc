#include "dovetail/core/ops/testing/infer_cases.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {

void ExpectShapes(const InferTester& tester,
                  const std::vector<InferCase>& cases) {
  for (size_t i = 0; i < cases.size(); ++i) {
    const InferCase& c = cases[i];
    EXPECT_EQ(tester.Shapes(c.op, c.inputs, c.attributes), c.want)
        << c.op << ", case " << i;
  }
}

void ExpectErrors(const InferTester& tester,
                  const std::vector<InferCase>& cases) {
  for (size_t i = 0; i < cases.size(); ++i) {
    const InferCase& c = cases[i];
    EXPECT_THAT(tester.Error(c.op, c.inputs, c.attributes),
                ::testing::HasSubstr(c.want))
        << c.op << ", case " << i;
  }
}

}  // namespace dovetail
