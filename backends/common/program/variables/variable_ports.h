// The variables of a model as tensors that it takes and gives.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_VARIABLES_VARIABLE_PORTS_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_VARIABLES_VARIABLE_PORTS_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/program/variables/growing_variable.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

struct VariablePorts {
  struct Variable {
    std::string id;
    // Numbers of a parameter and a result of the model; -1: it is not read, or
    // not written.
    int parameter = -1, result = -1;
    PartialShape shape;  // that is read
    // Where it is there, the result begins with the parameter's elements: the
    // axis that the variable grows along is the outermost one of both.
    std::optional<Growth> growth;
  };

  // The variables' parameters and results are behind its own, of which there
  // are so many. Without variables it is the model that was given.
  std::shared_ptr<const Model> model;
  size_t own_parameters = 0, own_results = 0;
  std::vector<Variable> variables;
  // Takes the model's own inputs and gives what the variables that are read
  // begin with, in their order; null: there are none.
  std::shared_ptr<const Model> initial;
};

// Nothing where a variable is read or written twice, or in a body, or where it
// is not known what it begins with.
absl::StatusOr<std::optional<VariablePorts>> MakeVariablePorts(
    std::shared_ptr<const Model> model);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_VARIABLES_VARIABLE_PORTS_H_
