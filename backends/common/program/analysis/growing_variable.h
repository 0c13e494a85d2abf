// Variables that grow along an axis, as a decoder's keys and values do.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_GROWING_VARIABLE_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_GROWING_VARIABLE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// `parameter` is what a variable has, `result` what it becomes. Where that is a
// Concat of the parameter and more behind it, makes the axis that is joined the
// outermost one of both, with transpositions for all other readers: then what
// is new lies behind what there was, which stays where it is. Axis i of both
// then is axis order[i] of what it was, for the order that is returned, or all
// is as it was where that is empty. A parameter that was the model's last is
// replaced by one that is. Nothing where it is no such Concat, or of a type or
// rank for which that cannot be.
absl::StatusOr<std::optional<std::vector<int>>> GrowOutermost(Node& parameter,
                                                              Node& result,
                                                              Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_GROWING_VARIABLE_H_
