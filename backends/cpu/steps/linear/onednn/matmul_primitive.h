// Matrix products by primitives of oneDNN.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_MATMUL_PRIMITIVE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_MATMUL_PRIMITIVE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/few_rows.h"
#include "dovetail/backends/cpu/onednn/epilogue/post_ops.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "dovetail/backends/cpu/steps/linear/problem.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// What is multiplied: values of the shapes of the node's inputs, and the types
// in which they are. Of `b` a constant may have another one.
struct MatMulFactors {
  Value a, b;
  ElementType a_type = ElementType::kF32, b_type = ElementType::kF32;
  int32_t a_zero_point = 0;
};

// Whether products lie evenly apart in both factors, as oneDNN has them.
bool HasEvenProducts(const MatrixShapes& shapes);

// All but the constructor throws like all of oneDNN.
class MatMulPrimitive {
 public:
  // The problem outlives it. Only where HasEvenProducts().
  MatMulPrimitive(const MatMulProblem& problem, const MatMulFactors& factors)
      : node_(*problem.node), shapes_(problem.shapes), factors_(factors) {}

  // With as much of the epilogue as can be; false: nothing is fast.
  bool Choose(const PlanBuilder& builder);
  // Adds the step and takes the epilogue's nodes in. After Choose.
  absl::Status Emit(PlanBuilder& builder) const;

  // How a constant second factor of bf16 lies as the primitive takes it, where
  // own kernels can read that (few_rows.h). After Choose.
  std::optional<Bf16Panels> Panels() const;
  // The second factor as the primitive takes it. After Choose.
  absl::StatusOr<Operand> ReadWeights(PlanBuilder& builder) const;

 private:
  bool is_integer() const { return factors_.b_type == ElementType::kI8; }
  bool Try();
  dnnl::memory::desc Matrices(const MatrixOperand& operand, int64_t rows,
                              int64_t columns, ElementType type) const;
  dnnl::memory::desc Source() const;
  dnnl::memory::desc WeightsAs(ElementType type) const;
  dnnl::memory::desc Weights() const;
  dnnl::memory::desc Result() const;
  dnnl::memory::desc ForEachColumn() const;
  PostOps::Options PostOpOptions() const;
  absl::Status AddFactors(PlanBuilder& builder,
                          std::vector<PrimitiveOperand>& inputs) const;
  absl::Status AddConstants(PlanBuilder& builder,
                            std::vector<PrimitiveOperand>& inputs) const;

  const Node& node_;
  const MatrixShapes& shapes_;
  const MatMulFactors factors_;
  Epilogue epilogue_;
  ElementType result_type_ = ElementType::kF32;
  PostOps post_ops_;
  dnnl::primitive_desc_base desc_;
};

// The product by a MatMulPrimitive, whose errors name `what`, a constant;
// declines where nothing is fast. The problem outlives the offer.
absl::StatusOr<KernelOffer> OfferMatMul(const MatMulProblem& problem,
                                        const MatMulFactors& factors,
                                        absl::string_view what,
                                        const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_MATMUL_PRIMITIVE_H_
