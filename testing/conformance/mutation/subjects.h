// Subjects of mutation: the conformance cases of operations.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_SUBJECTS_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_SUBJECTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/testing/conformance/mutation/mutator.h"

namespace dovetail {

struct NamedSubject {
  std::string name;
  Subject subject;
};

// The cases with `part` in their names, in order.
absl::StatusOr<std::vector<NamedSubject>> LoadSubjects(absl::string_view part);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_SUBJECTS_H_
