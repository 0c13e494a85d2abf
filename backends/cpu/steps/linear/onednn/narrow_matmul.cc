#include "dovetail/backends/cpu/steps/linear/onednn/narrow_matmul.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/few_rows.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/steps/linear/gemm_emission.h"
#include "dovetail/backends/cpu/steps/linear/onednn/matmul_primitive.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// Weights that are computed, as compressed ones are, have kernels of their own
// where they are one matrix, which is to stay compressed unless it is small.
absl::Status CheckWeights(Value b, const MatrixShapes& shapes,
                          const MachineModel& machine) {
  const Tensor* weights = PlanBuilder::PackableConstantOf(b);
  const bool is_computed = weights == nullptr;
  if (is_computed &&
      (!IsWeightExpression(b) || (shapes.b_matrices.size() == 1 &&
                                  !AreUnpackedOnce(shapes.rows, shapes.depth,
                                                   shapes.columns, machine)))) {
    return Unimplemented("weights that are computed");
  }
  if (b.shape().rank() < 2 ||
      (!is_computed &&
       (weights->type() != ElementType::kF32 || !weights->is_contiguous()))) {
    return Unimplemented("weights that are no dense matrix of f32");
  }
  return absl::OkStatus();
}

absl::Status CheckFactors(const MatMulProblem& problem,
                          const MachineModel& machine) {
  DOVETAIL_RETURN_IF_ERROR(
      CheckWeights(problem.node->input(1), problem.shapes, machine));
  if (!HasEvenProducts(problem.shapes)) {
    return Unimplemented("products that lie unevenly apart");
  }
  return absl::OkStatus();
}

// What a product of bf16 takes besides, as rows have to be converted and a
// primitive is called: some 4 us where own kernels of f32 take 2 in all
// (matrices of 20 to 100 rows by one, Xeon with AVX-512 and bf16).
constexpr double kCallNs = 3000;

// Few rows wait for weights, of which half as many bytes are read; many take as
// long as they are multiplied. Empty: it is not slower.
std::string WhySlower(const MatrixShapes& shapes, const MachineModel& machine,
                      double call_ns) {
  const auto rows = static_cast<double>(shapes.rows);
  const double weights = static_cast<double>(shapes.batch) *
                         static_cast<double>(shapes.depth) *
                         static_cast<double>(shapes.columns);
  const auto cost = [&](double bytes_of_weight, double products) {
    return std::max(machine.ReadNs(weights * bytes_of_weight),
                    rows * weights / products);
  };
  const double narrow = cost(2, machine.bf16) + call_ns;
  const double wide = cost(4, machine.f32());
  if (narrow < wide) return "";
  return absl::StrCat("an estimate of ", std::llround(narrow), " ns, ",
                      std::llround(wide), " in f32");
}

constexpr absl::string_view kWhat = "a matrix product";

absl::Status CheckFewRows(const MatMulProblem& problem,
                          const MachineModel& machine) {
  const MatrixShapes& shapes = problem.shapes;
  if (!HasBf16Products()) return Unimplemented("no dot products of bf16");
  if (shapes.batch != 1 || shapes.rows > kMaxFewRows) {
    return Unimplemented(shapes.batch, " times ", shapes.rows, " rows");
  }
  if (problem.integers.has_value() || shapes.a.column_stride != 1) {
    return Unimplemented("rows that are no dense floats");
  }
  return CheckFactors(problem, machine);
}

// Weights as the primitive has them, so that all numbers of rows share them.
absl::Status EmitFewRows(const MatMulProblem& problem,
                         const MatMulPrimitive& product, PlanBuilder& builder) {
  GemmStepOptions options = GemmOptionsOf(problem, builder);
  options.panels = product.Panels();
  return EmitNarrowGemm(
      problem, "gemm_bf16", std::move(options),
      [&](PlanBuilder& plan) { return product.ReadWeights(plan); }, builder);
}

MatMulFactors FactorsOf(const Node& node) {
  return {node.input(0), node.input(1), ElementType::kBf16, ElementType::kBf16};
}

}  // namespace

// The primitive multiplies in half the time that unpacking in each run takes
// (convnext_192x29_i4 of bench/blocks, Xeon with AMX), and there is little
// memory to save. Without tiles the rows would be quantized, to multiply twice
// as fast, which pays where they are long: rows of 32 and 128 elements
// (mix_ffn_32x58_i4) take 0.46 ms so and 0.30 in bf16, but convnext_192x29_u8
// 1.31 and 1.39 (Zen 4, two threads).
bool AreUnpackedOnce(int64_t rows, int64_t depth, int64_t columns,
                     const MachineModel& machine) {
  constexpr int64_t kBytes = sizeof(uint16_t);
  constexpr int64_t kShort = 160;
  return (HasBf16Tiles() || (HasBf16Products() && depth <= kShort)) &&
         rows >= kManyNarrowRows &&
         depth * columns <= machine.l2.bytes / kBytes;
}

absl::StatusOr<KernelOffer> TryFewNarrowRows(const MatMulProblem& problem,
                                             const PlanBuilder& builder) {
  if (ComputeTypeOf(*problem.node, builder.settings()) != ElementType::kBf16) {
    return Unimplemented("bf16 is not asked for");
  }
  const MachineModel& machine = builder.settings().machine_model();
  DOVETAIL_RETURN_IF_ERROR(CheckFewRows(problem, machine));
  return GuardedCall(kWhat, [&]() -> absl::StatusOr<KernelOffer> {
    const auto product =
        std::make_shared<MatMulPrimitive>(problem, FactorsOf(*problem.node));
    if (!product->Choose(builder) || !product->Panels().has_value()) {
      return Unimplemented("weights that are not packed in panels");
    }
    KernelOffer offer;
    offer.slower = WhySlower(problem.shapes, machine,
                             /*call_ns=*/0);
    offer.emit = [&problem, product](PlanBuilder& plan) {
      return GuardedCall(kWhat,
                         [&] { return EmitFewRows(problem, *product, plan); });
    };
    return offer;
  });
}

absl::StatusOr<KernelOffer> TryNarrowMatMul(const MatMulProblem& problem,
                                            const PlanBuilder& builder) {
  const ElementType type = ComputeTypeOf(*problem.node, builder.settings());
  if (type == ElementType::kF32) return Unimplemented("f32 is asked for");
  const MachineModel& machine = builder.settings().machine_model();
  DOVETAIL_RETURN_IF_ERROR(CheckFactors(problem, machine));
  DOVETAIL_ASSIGN_OR_RETURN(
      KernelOffer offer,
      OfferMatMul(problem, FactorsOf(*problem.node), kWhat, builder));
  offer.slower = WhySlower(problem.shapes, machine, kCallNs);
  return offer;
}

}  // namespace dovetail::cpu
