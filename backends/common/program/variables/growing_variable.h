// Variables that grow along an axis, as a decoder's keys and values do.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_VARIABLES_GROWING_VARIABLE_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_VARIABLES_GROWING_VARIABLE_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/program/variables/variable_gather.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// How a variable is read that grows.
struct Growth {
  // Axis i of the parameter and the result is the variable's order[i]; empty:
  // as they are.
  std::vector<int> order;
  // The parameter has these slices of the variable. Axes are those of the
  // parameter, inputs the model's parameters. Nothing: it has all of it.
  std::optional<VariableGather> gather;
};

// `parameter` is what a variable has, `result` what it becomes. Where that is a
// Concat of the parameter and more behind it, makes the axis that is joined the
// outermost one of both, with transpositions for all other readers: then what
// is new lies behind what there was, which stays where it is. Between the two
// may be a Gather by one of the first `own_parameters` of the model, as
// decoders have it for beam search; the parameter then is what that gives. A
// parameter that was the model's last is replaced by one that is. Nothing where
// it is no such Concat, or of a type or rank for which that cannot be.
absl::StatusOr<std::optional<Growth>> GrowOutermost(Node& parameter,
                                                    Node& result,
                                                    size_t own_parameters,
                                                    Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_VARIABLES_GROWING_VARIABLE_H_
