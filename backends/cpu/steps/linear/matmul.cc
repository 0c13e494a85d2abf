#include "dovetail/backends/cpu/steps/linear/matmul.h"

#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/linear/gemm_offers.h"
#include "dovetail/backends/cpu/steps/linear/onednn/integer_matmul.h"
#include "dovetail/backends/cpu/steps/linear/onednn/narrow_matmul.h"
#include "dovetail/backends/cpu/steps/linear/problem.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/linear/matmul.h"

namespace dovetail::cpu {
namespace {

// In order of preference.
constexpr KernelCandidate<MatMulProblem> kKernels[] = {
    {"onednn_int8", &TryIntegerMatMul},
    {"gemm_bf16", &TryFewNarrowRows},
    {"onednn_bf16", &TryNarrowMatMul},
    {"gemm_unpacked", &TryUnpackedGemm},
    {"gemm_quantized", &TryQuantizedGemm},
    {"gemm_compressed", &TryCompressedGemm},
    {"gemm_f32_in_place", &TryGemmInPlace},
    {"gemm_f32", &TryGemm},
};

absl::StatusOr<MatMulProblem> ProblemOf(const Node& node) {
  const auto* attributes = node.As<MatMulAttributes>();
  if (attributes == nullptr) return Unimplemented("an unknown version");
  for (const Value value :
       {node.input(0), node.input(1), PlanBuilder::OutputOf(node)}) {
    if (value.type() == ElementType::kF32) continue;
    return Unimplemented("matrices of ", ElementTypeName(value.type()));
  }
  MatMulProblem problem;
  problem.node = &node;
  problem.shapes =
      MatrixShapesOf(Dense(PlanBuilder::ShapeOf(node.input(0))),
                     Dense(PlanBuilder::ShapeOf(node.input(1))),
                     attributes->transpose_a, attributes->transpose_b);
  problem.integers = IntegerOperandsOf(node);
  return problem;
}

}  // namespace

absl::StatusOr<bool> EmitMatMul(const Node& node, PlanBuilder& builder) {
  return EmitFirst<MatMulProblem>(kKernels, node, ProblemOf(node), builder);
}

bool MatMulReadsBytes(const Node& node) {
  return node.Is("MatMul") && ProblemOf(node).ok() &&
         IntegerOperandsOf(node).has_value();
}

}  // namespace dovetail::cpu
