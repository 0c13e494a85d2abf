// Elementwise nodes that are computed together with a product of matrices.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_EPILOGUE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"
#include "dovetail/backends/cpu/steps/linear/gemm_options.h"

namespace dovetail::cpu {

// An f32 tensor of more than one element, which is ready, and the strides by
// which it broadcasts to the shape of the product.
struct GemmEpilogueInput {
  Value value;
  ElementStrides strides;
  friend bool operator==(const GemmEpilogueInput&,
                         const GemmEpilogueInput&) = default;
};

// Nodes that turn a product into another value of its shape. They need not be
// the chain of an Epilogue (common/fusion), for a program computes them, which
// may use a value several times; operands are read where they lie.
struct GemmEpilogue {
  std::vector<const Node*> nodes;  // each after those it uses
  Value result;                    // the product itself without nodes
  // What the first nodes add, the same for all rows of a product and, after it,
  // anything, in rows whose elements lie side by side.
  std::optional<GemmEpilogueInput> bias, residual;
  // The rest, of the sum and of the inputs 1, 2, …. May have no instructions.
  ElementwiseProgram program;
  std::vector<GemmEpilogueInput> inputs;
};

// What can follow `product`, f32, which nothing but these nodes reads. Its
// shape is taken as `batch` products of `rows` rows, and all that is needed of
// inputs has to be distances between rows. `with_sums`: whether there may be
// bias and residual.
absl::StatusOr<GemmEpilogue> FindGemmEpilogue(Value product, int64_t rows,
                                              bool with_sums,
                                              const PlanBuilder& builder);

// The strides of an input for products of `rows` rows each.
EpilogueInput EpilogueInputOf(const Shape& shape, const ElementStrides& strides,
                              int64_t rows);

// Reads the inputs, then bias and residual, appends those that are there to
// `operands`, and takes the nodes in.
absl::Status FuseGemmEpilogue(const GemmEpilogue& epilogue,
                              PlanBuilder& builder,
                              std::vector<Operand>& operands);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_EPILOGUE_H_
