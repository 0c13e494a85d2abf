// Parts of models in other models.
#ifndef DOVETAIL_CORE_OPS_STRUCTURAL_EXTRACT_MODEL_H_
#define DOVETAIL_CORE_OPS_STRUCTURAL_EXTRACT_MODEL_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// Adds a copy of a node of another model, which reads `inputs` of this one and
// has the other's name, attributes, bodies, rt_info, and all that is known of
// its outputs.
Node& AddCopy(Model& model, const Node& node, absl::Span<const Value> inputs);

// A model with one parameter for each of `inputs` and one result for each of
// `outputs`, and in between the nodes in `nodes` (in topological order of
// `model`; those with side effects are kept although nobody reads them), with
// the constants that they read. Every value that they or `outputs` read is a
// constant, in `inputs`, comes from one of the nodes, or is known without it
// (known_tensor.h): then it becomes a constant. Names of layers and
// tensors, types, shapes and known values stay; tensors of constants are
// shared.
absl::StatusOr<std::unique_ptr<Model>> ExtractModel(
    const Model& model, const std::vector<Value>& inputs,
    const std::vector<const Node*>& nodes, const std::vector<Value>& outputs);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_STRUCTURAL_EXTRACT_MODEL_H_
