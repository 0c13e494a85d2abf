#include "dovetail/backends/cpu/steps/linear/onednn/narrow_matmul.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
#include "dovetail/backends/cpu/steps/linear/onednn/matmul_primitive.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

absl::Status CheckFactors(const MatMulProblem& problem) {
  const Value b = problem.node->input(1);
  const Tensor* weights = PlanBuilder::PackableConstantOf(b);
  if (weights == nullptr) return Unimplemented("weights that are computed");
  if (weights->type() != ElementType::kF32 || !weights->is_contiguous() ||
      b.shape().rank() < 2) {
    return Unimplemented("weights that are no dense matrix of f32");
  }
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
std::string WhySlower(const MatrixShapes& shapes, const MachineModel& machine) {
  const auto rows = static_cast<double>(shapes.rows);
  const double weights = static_cast<double>(shapes.batch) *
                         static_cast<double>(shapes.depth) *
                         static_cast<double>(shapes.columns);
  const auto cost = [&](double bytes_of_weight, double products) {
    return std::max(machine.ReadNs(weights * bytes_of_weight),
                    rows * weights / products);
  };
  const double narrow = cost(2, machine.bf16) + kCallNs;
  const double wide = cost(4, machine.f32());
  if (narrow < wide) return "";
  return absl::StrCat("an estimate of ", std::llround(narrow), " ns, ",
                      std::llround(wide), " in f32");
}

constexpr absl::string_view kWhat = "a matrix product";

}  // namespace

absl::StatusOr<KernelOffer> TryNarrowMatMul(const MatMulProblem& problem,
                                            const PlanBuilder& builder) {
  const ElementType type = ComputeTypeOf(*problem.node, builder.settings());
  if (type == ElementType::kF32) return Unimplemented("f32 is asked for");
  DOVETAIL_RETURN_IF_ERROR(CheckFactors(problem));
  const Node& node = *problem.node;
  const MatMulFactors factors = {node.input(0), node.input(1), type, type};
  DOVETAIL_ASSIGN_OR_RETURN(KernelOffer offer,
                            OfferMatMul(problem, factors, kWhat, builder));
  offer.slower = WhySlower(problem.shapes, builder.settings().machine_model());
  return offer;
}

}  // namespace dovetail::cpu
