#include "dovetail/transformations/upgrade/upgrade.h"

#include "dovetail/core/ops/op_table.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(UpgradeTest, EveryOldVersionHasARule) {
  int old_versions = 0;
  for (const OpInfo* op : AllOps()) {
    const bool is_old = FindOp(OpType::Named(op->type))->version != op->version;
    if (is_old) {
      EXPECT_EQ(Upgrades().For(*op).size(), 1u) << op->ToString();
      ++old_versions;
    }
  }
  EXPECT_EQ(old_versions, 37);
}

TEST(UpgradeTest, EveryRuleIsForARow) {
  for (const NodeRule& rule : Upgrades().all()) {
    EXPECT_NE(FindOp(rule.op), nullptr) << rule.op.type();
  }
}

TEST(UpgradeTest, LeavesWhatIsNativeAndWhatIsNew) {
  Upgrade pass(IsOneOf({"Softmax-1"}));
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %a = Softmax-1(%x) {axis: 1}
    %y = Softmax-8(%a) {axis: 0}
    %r = Result-0(%y) {})");
}

TEST(UpgradeTest, ReplacesOldVersions) {
  Upgrade pass;
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}  # x
    %a = Softmax-1(%x) {axis: 0}  # a
    %y = Gelu-0(%a) {}  # y
    %r = Result-0(%y) {}  # r)",
                R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}  # x
    %a = Softmax-8(%x) {axis: 0}  # a
    %y = Gelu-7(%a) {approximation_mode: erf}  # y
    %r = Result-0(%y) {}  # r)");
}

}  // namespace
}  // namespace dovetail
