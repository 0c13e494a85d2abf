// Outcomes as a JUnit XML file, which continuous-integration servers read.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_JUNIT_H_
#define DOVETAIL_TOOLS_CONFORMANCE_JUNIT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/tools/conformance/cases/case_index.h"
#include "dovetail/tools/conformance/run_case.h"

namespace dovetail::conformance {

// One test suite called `suite` with a test case for each outcome.
std::string FormatJunit(absl::string_view suite, const std::vector<Case>& cases,
                        const std::vector<Outcome>& outcomes);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_JUNIT_H_
