#include "dovetail/testing/conformance/mutation/subjects.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "dovetail/core/base/status.h"
#include "dovetail/testing/conformance/operations/cases.h"

namespace dovetail {

absl::StatusOr<std::vector<NamedSubject>> LoadSubjects(absl::string_view part) {
  std::vector<NamedSubject> subjects;
  for (const std::string& file : OperationCaseFiles()) {
    DOVETAIL_ASSIGN_OR_RETURN(std::vector<OperationCase> cases,
                              LoadOperationCases(file));
    for (OperationCase& operation_case : cases) {
      if (!absl::StrContains(operation_case.name, part)) continue;
      subjects.push_back(
          {operation_case.name,
           {std::move(operation_case.model),
            std::move(operation_case.inferences.at(0).inputs)}});
    }
  }
  return subjects;
}

}  // namespace dovetail
