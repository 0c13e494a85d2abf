// Cases as text from sets of models and arrays on disk, as `dovetail
// conformance` runs them.
#ifndef DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_WRITING_CASE_WRITER_H_
#define DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_WRITING_CASE_WRITER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace dovetail {

// Puts the cases of these sets whose names match `filter` ("*" and "?") into
// files below `folder`: each into the file of the first operation that it is
// about, in the place of an older case of that name, else at the end. The file
// of an operation is the one whose name is the operation's but for underscores,
// in any folder; a new one begins as an empty file. Answers how many it wrote.
// Nothing is written when there is an error, which names the case.
absl::StatusOr<int> WriteCases(const std::vector<std::string>& sets,
                               const std::string& filter,
                               const std::string& folder);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_WRITING_CASE_WRITER_H_
