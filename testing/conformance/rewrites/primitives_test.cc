// What is left of all operations when everything that can be replaced is: the
// kernels that a backend cannot do without.
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/testing/conformance/operations/cases.h"
#include "dovetail/transformations/decompose/decompose.h"
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

// Of the conformance cases.
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

TEST(PrimitivesTest, AreThese) {
  const std::set<std::string> left = OperationsLeft();
  for (const std::string& o : left) {
    const auto dash = o.rfind('-');
    const OpInfo* op = FindOp(o.substr(0, dash), std::stoi(o.substr(dash + 1)));
    if (!Decompositions().For(*op).empty()) std::cout << "PARTLY " << o << "\n";
    if (op != FindLatestOp(op->type)) std::cout << "OLD " << o << "\n";
  }
  std::cout << left.size() << "\n" << absl::StrJoin(left, " ") << "\n";
}

}  // namespace
}  // namespace dovetail
