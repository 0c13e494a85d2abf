#include "dovetail/core/ops/testing/infer_cases.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

class CheckRowsAtTheEnd : public ::testing::Environment {
 public:
  explicit CheckRowsAtTheEnd(absl::Span<const OpInfo> ops) : ops_(ops) {}

  void TearDown() override {
    const auto& tests = *::testing::UnitTest::GetInstance();
    if (tests.test_to_run_count() < tests.total_test_count()) return;
    for (const OpInfo& op : ops_) {
      const InferencesSoFar so_far = InferencesOf(op.ToString());
      EXPECT_TRUE(so_far.with_static_shapes)
          << op.ToString() << " is never inferred from static shapes";
      EXPECT_TRUE(so_far.with_dynamic_shapes)
          << op.ToString() << " is never inferred from dynamic shapes";
      EXPECT_TRUE(so_far.refused) << op.ToString() << " is never refused";
    }
  }

 private:
  absl::Span<const OpInfo> ops_;
};

}  // namespace

EveryRowIsInferred::EveryRowIsInferred(absl::Span<const OpInfo> ops) {
  ::testing::AddGlobalTestEnvironment(new CheckRowsAtTheEnd(ops));
}

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
