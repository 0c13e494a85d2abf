// The conformance cases of single operations: one file of cases/ an operation,
// all versions, in folders by family. Every row of the table of operations has
// a case there. writing/ makes these files from sets on disk.
#ifndef DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_CASES_H_
#define DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_CASES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/testing/conformance/operations/case_text.h"

namespace dovetail {

// "activation/elu.txt", …, sorted; of the test's runfiles.
std::vector<std::string> OperationCaseFiles();

// "activation_elu": what GoogleTest may call the tests of a file.
std::string TestNameOf(absl::string_view file);

// The cases of one of these files.
absl::StatusOr<std::vector<OperationCase>> LoadOperationCases(
    absl::string_view file);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_CASES_H_
