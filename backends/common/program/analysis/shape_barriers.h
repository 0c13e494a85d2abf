// The part of a model that can be planned before it runs.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_SHAPE_BARRIERS_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_SHAPE_BARRIERS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// The nodes of a model whose parameters have static shapes, but for
// parameters, constants and results; each list in topological order.
struct ModelSplit {
  // All shapes are known: these are planned.
  std::vector<const Node*> planned;
  // Shape barriers: their inputs' shapes are known, their outputs' depend on
  // data, as NonZero's do. These run next, by reference kernels.
  std::vector<const Node*> barriers;
  // The deferred subgraph: what needs the outputs of barriers, to be split anew
  // when these are known, and what is made of constants for it alone, which its
  // plans pack, or keep compressed.
  std::vector<const Node*> deferred;

  bool all_planned() const { return barriers.empty() && deferred.empty(); }
};

// Whether all inputs and outputs are plain memory of a size that is known: what
// plans compute.
bool HasPlainTensors(const Node& node);

// Whether all it reads is constant, or `known` to be made of constants, and so
// is what it computes.
bool IsMadeOfConstants(const Node& node,
                       absl::FunctionRef<bool(const Node& node)> known);

// Nodes that nobody reads are left out, unless they have side effects. Strings,
// which are objects and no plain memory, and tensors that no memory could hold
// are never planned. A variable is written no earlier than it is read. With
// `plan_nothing` all nodes are barriers, each of which runs when its inputs are
// there.
absl::StatusOr<ModelSplit> SplitAtShapeBarriers(const Model& model,
                                                bool plan_nothing = false);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_SHAPE_BARRIERS_H_
