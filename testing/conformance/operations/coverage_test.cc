// Whether every row of the table of operations has its cases, in the file that
// is named after it.

#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/testing/conformance/operations/cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::vector<OperationCase> LoadAll() {
  std::vector<OperationCase> all;
  for (const std::string& file : OperationCaseFiles()) {
    auto cases = LoadOperationCases(file);
    EXPECT_TRUE(cases.ok()) << cases.status();
    if (!cases.ok()) continue;
    for (OperationCase& test_case : *cases) {
      all.push_back(std::move(test_case));
    }
  }
  return all;
}

TEST(OperationCasesTest, EveryVersionOfEveryOperationHasOne) {
  std::set<std::string> have;
  for (const OperationCase& test_case : LoadAll()) {
    for (const auto& node : test_case.model->nodes()) {
      for (const std::string& operation : test_case.operations) {
        if (node->op().ToString() == operation) have.insert(operation);
      }
    }
  }
  std::vector<std::string> missing;
  for (const OpInfo* row : AllOps()) {
    if (have.count(row->ToString()) == 0) missing.push_back(row->ToString());
  }
  EXPECT_EQ(missing, std::vector<std::string>());
}

TEST(OperationCasesTest, NamesAreUnique) {
  std::set<std::string> names;
  for (const OperationCase& test_case : LoadAll()) {
    EXPECT_TRUE(names.insert(test_case.name).second) << test_case.name;
    EXPECT_FALSE(test_case.operations.empty()) << test_case.name;
    EXPECT_FALSE(test_case.evidence.empty()) << test_case.name;
  }
  EXPECT_FALSE(names.empty());
}

}  // namespace
}  // namespace dovetail
