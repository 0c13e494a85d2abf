// Elementwise nodes that are computed together with a product of matrices.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_FOLLOWERS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_FOLLOWERS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"
#include "dovetail/backends/cpu/steps/linear/gemm_step.h"

namespace dovetail::cpu {

// Nodes that turn a value into another one of its shape.
struct Followers {
  std::vector<const Node*> nodes;  // each after those it uses
  Value result;                    // the value itself without nodes
  // Of the value, and of the inputs 1, 2, …: f32 tensors of more than one
  // element, which are ready. Without instructions for no nodes.
  ElementwiseProgram program;
  std::vector<Value> inputs;
  // By which strides inputs stretch to the shape.
  std::vector<Strides> strides;
};

// What can follow `value`, f32, which nothing but these nodes reads. Its shape
// is taken as `batch` products of `rows` rows, and all that is needed of inputs
// has to be distances between rows.
absl::StatusOr<Followers> FindFollowers(Value value, int64_t rows,
                                        const PlanBuilder& builder);

// The strides of an input for products of `rows` rows each.
EpilogueInput EpilogueInputOf(const Shape& shape, const Strides& strides,
                              int64_t rows);

// Reads the inputs, appends them to `operands`, and takes the nodes in.
absl::Status TakeFollowers(const Followers& followers, PlanBuilder& builder,
                           std::vector<Operand>& operands);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_FOLLOWERS_H_
