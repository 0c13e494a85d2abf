// What is left of all operations when everything that can be replaced is: the
// kernels that a backend cannot do without.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/testing/conformance/operations/cases.h"
#include "dovetail/transformations/decompose/decompose.h"
#include "dovetail/transformations/decompose/primitives.h"
#include "dovetail/transformations/upgrade/upgrade.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

void Collect(const Model& model, std::set<std::string>& operations) {
  for (const auto& node : model.nodes()) {
    operations.insert(node->op().ToString());
    for (const auto& body : node->bodies()) Collect(*body->model, operations);
  }
}

// Of the conformance cases, which use every operation.
std::set<std::string> OperationsLeft() {
  std::set<std::string> left;
  for (const std::string& file : OperationCaseFiles()) {
    const auto cases = LoadOperationCases(file);
    EXPECT_TRUE(cases.ok()) << cases.status();
    if (!cases.ok()) continue;
    for (const OperationCase& each : *cases) {
      EXPECT_TRUE(Upgrade().Run(*each.model).ok()) << each.name;
      EXPECT_TRUE(Decompose(IsNone).Run(*each.model).ok()) << each.name;
      each.model->RemoveUnused();
      Collect(*each.model, left);
    }
  }
  return left;
}

TEST(PrimitivesTest, NoOthersAreNeeded) {
  const std::set<std::string> left = OperationsLeft();
  std::set<std::string> primitives;
  for (OpType op : PrimitiveOperations()) {
    primitives.insert(FindOp(op)->ToString());
  }
  std::vector<std::string> others;
  std::set_difference(left.begin(), left.end(), primitives.begin(),
                      primitives.end(), std::back_inserter(others));
  EXPECT_TRUE(others.empty()) << absl::StrJoin(others, " ");
  RecordProperty("operations_left", static_cast<int>(left.size()));
  EXPECT_LE(left.size(), 95u);
}

TEST(DecompositionsTest, EveryRuleIsForARow) {
  for (const NodeRule& rule : Decompositions().all()) {
    EXPECT_NE(FindOp(rule.op), nullptr) << rule.op.type();
    EXPECT_FALSE(rule.formula.empty()) << rule.op.type();
  }
}

}  // namespace
}  // namespace dovetail
