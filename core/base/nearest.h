// "Did you mean …?": the known name that a misspelt one was meant to be.
#ifndef DOVETAIL_CORE_BASE_NEAREST_H_
#define DOVETAIL_CORE_BASE_NEAREST_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace dovetail {

// Number of letters to insert, delete or replace to turn `a` into `b`
// (Levenshtein distance), the case of letters aside.
int EditDistance(absl::string_view a, absl::string_view b);

// The candidate nearest to `name`; empty when none is near enough to be meant
// (more than a third of its letters would have to change, at least two).
std::string Nearest(absl::string_view name,
                    const std::vector<std::string>& candidates);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_NEAREST_H_
