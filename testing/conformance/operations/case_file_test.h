// Tests that are run once for each file of cases:
//
//   class FormsTest : public CaseFileTest {};
//   TEST_P(FormsTest, Text) {
//     for (const OperationCase& test_case : Load()) …
//   }
//   INSTANTIATE_TEST_SUITE_P(Cases, FormsTest, EachCaseFile(), CaseFileName);
#ifndef DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_CASE_FILE_TEST_H_
#define DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_CASE_FILE_TEST_H_

#include <string>
#include <utility>
#include <vector>

#include "dovetail/testing/conformance/operations/case_text.h"
#include "dovetail/testing/conformance/operations/cases.h"
#include "gtest/gtest.h"

namespace dovetail {

// For tests that are of another class already.
class WithCaseFile : public testing::WithParamInterface<std::string> {
 protected:
  // The file's cases. Without any the test has failed.
  static std::vector<OperationCase> Load() {
    auto cases = LoadOperationCases(GetParam());
    EXPECT_TRUE(cases.ok()) << cases.status();
    if (!cases.ok()) return {};
    EXPECT_FALSE(cases->empty()) << GetParam();
    return *std::move(cases);
  }
};

class CaseFileTest : public testing::Test, public WithCaseFile {};

inline auto EachCaseFile() { return testing::ValuesIn(OperationCaseFiles()); }

inline std::string CaseFileName(
    const testing::TestParamInfo<std::string>& info) {
  return TestNameOf(info.param);
}

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_CASE_FILE_TEST_H_
