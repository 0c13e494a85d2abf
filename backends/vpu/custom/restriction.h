// The restrictions of <Where>.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_RESTRICTION_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_RESTRICTION_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::vpu {

// Whether an attribute of that text meets a restriction. A number is compared
// as such: ">=2", "<= 2", ">2", "<2", "!=2", or "2" for equality; a text, such
// as "3,3", is the same in any case of letters.
bool MeetsRestriction(absl::string_view attribute,
                      absl::string_view restriction);

// Whether a node's parameters (layer_parameters.h) meet all of them; one that
// it does not have meets none.
bool MeetsRestrictions(
    const std::vector<std::pair<std::string, std::string>>& restrictions,
    const Node& node);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_RESTRICTION_H_
