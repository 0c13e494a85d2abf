#include "dovetail/core/graph/body.h"

namespace dovetail {

std::unique_ptr<Body> Body::Clone() const {
  auto clone = std::make_unique<Body>();
  clone->model = model->Clone();
  clone->inputs = inputs;
  clone->outputs = outputs;
  clone->back_edges = back_edges;
  clone->current_iteration_parameter = current_iteration_parameter;
  clone->execution_condition_result = execution_condition_result;
  return clone;
}

}  // namespace dovetail
