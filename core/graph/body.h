// A sub-graph inside a node, and how its parameters and results are bound to
// the node's inputs and outputs: the branches of If, the body of Loop and
// TensorIterator.
#ifndef DOVETAIL_CORE_GRAPH_BODY_H_
#define DOVETAIL_CORE_GRAPH_BODY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "dovetail/core/graph/model.h"

namespace dovetail {

// Cuts a tensor into one part an iteration along `axis`. Negative start and end
// count from the end (-1: past the last element for an `end` of a positive
// stride); a negative stride goes backwards.
struct Slicing {
  int64_t axis = 0;
  int64_t start = 0;
  int64_t end = -1;
  int64_t stride = 1;
  int64_t part_size = 1;
  friend bool operator==(const Slicing&, const Slicing&) = default;
};

// The node's input `input` feeds the body's parameter `parameter`: in parts
// when sliced, else whole (and only before the first iteration, when a back
// edge leads to the parameter).
struct BodyInput {
  int input = 0;      // index of the node's input
  int parameter = 0;  // index in model->parameters()
  std::optional<Slicing> slicing;
  friend bool operator==(const BodyInput&, const BodyInput&) = default;
};

// The body's result `result` is the node's output `output`: all iterations
// joined when sliced, else the last one's.
struct BodyOutput {
  int output = 0;  // index of the node's output
  int result = 0;  // index in model->results()
  std::optional<Slicing> slicing;
  friend bool operator==(const BodyOutput&, const BodyOutput&) = default;
};

// What a result gives is the parameter's value in the next iteration.
struct BackEdge {
  int result = 0;
  int parameter = 0;
  friend bool operator==(const BackEdge&, const BackEdge&) = default;
};

// How deep bodies may be nested: what walks them calls itself once a level, so
// readers refuse more, as Model::Verify and Model::Infer do.
inline constexpr int kMaxBodyDepth = 64;

struct Body {
  std::unique_ptr<Model> model;  // never null
  std::vector<BodyInput> inputs;
  std::vector<BodyOutput> outputs;
  std::vector<BackEdge> back_edges;
  // Loop only: the parameter that is given the iteration's number and the
  // result that says whether to go on; -1 when there is none.
  int current_iteration_parameter = -1;
  int execution_condition_result = -1;

  std::unique_ptr<Body> Clone() const;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_BODY_H_
