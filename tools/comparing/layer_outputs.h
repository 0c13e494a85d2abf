// Models whose layers can be looked at: one with every layer's outputs as
// results, and one whose layers are cut apart.
#ifndef DOVETAIL_TOOLS_COMPARING_LAYER_OUTPUTS_H_
#define DOVETAIL_TOOLS_COMPARING_LAYER_OUTPUTS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::comparing {

// The outputs that somebody reads of the layers that depend on an input, in
// topological order. Random layers and those with a state are left out.
std::vector<Value> LayerOutputs(const Model& model);

// A copy with these outputs of the model as results behind its own. Devices
// compute nothing together then that lies between two layers.
absl::StatusOr<std::unique_ptr<Model>> WithResults(
    const Model& model, absl::Span<const Value> outputs);

struct CutModel {
  // Its results are the outputs that were asked for.
  std::unique_ptr<Model> model;
  std::vector<Tensor> inputs;  // one a parameter of it
};

// A copy in which each layer reads, instead of what others compute, parameters
// with the values given: so a layer's error is its own. `values` are those of
// `outputs`, and `inputs` those of the model's parameters. Small integers, such
// as a shape to reshape to, become constants, so that shapes stay known.
absl::StatusOr<CutModel> CutApart(const Model& model,
                                  absl::Span<const Value> outputs,
                                  absl::Span<const Tensor> values,
                                  absl::Span<const Tensor> inputs);

}  // namespace dovetail::comparing

#endif  // DOVETAIL_TOOLS_COMPARING_LAYER_OUTPUTS_H_
