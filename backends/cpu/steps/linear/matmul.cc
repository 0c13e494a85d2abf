#include "dovetail/backends/cpu/steps/linear/matmul.h"

#include <optional>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/steps/linear/compressed_weights.h"
#include "dovetail/backends/cpu/steps/linear/gemm_epilogue.h"
#include "dovetail/backends/cpu/steps/linear/gemm_step.h"
#include "dovetail/backends/cpu/steps/linear/matrix_shapes.h"
#include "dovetail/backends/cpu/steps/linear/narrow_matmul.h"
#include "dovetail/backends/cpu/steps/linear/packed_weights.h"
#include "dovetail/backends/cpu/steps/linear/weight_expression.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/linear/matmul.h"

namespace dovetail::cpu {
namespace {

bool IsF32(const Node& node) {
  return node.input(0).type() == ElementType::kF32 &&
         node.input(1).type() == ElementType::kF32 &&
         node.port().type == ElementType::kF32;
}

// The rows by which an epilogue sees the output, whose last axis has to be that
// of columns.
int64_t RowsForEpilogue(const Node& node, const MatrixShapes& shapes) {
  return node.input(1).shape().rank() == 1 ? -1 : shapes.rows;
}

// Packs the weights, or leaves it to the step to pack what is computed.
absl::StatusOr<Operand> SecondFactor(const Node& node, PlanBuilder& builder,
                                     GemmStepOptions& options) {
  options.is_b_packed = IsWeightExpression(node.input(1));
  if (!options.is_b_packed) return builder.ReadPlain(node.input(1));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::optional<CompressedOperand> compressed,
      PackCompressedWeights(node, options.shapes, builder));
  if (!compressed.has_value()) {
    return PackGemmWeights(node.input(1), options.shapes, builder);
  }
  options.compressed = compressed->matrix;
  return compressed->packed;
}

const char* KernelName(const GemmStepOptions& options) {
  if (!options.compressed.has_value()) return "gemm_f32";
  switch (options.compressed->form) {
    case WeightForm::kBits4:
      return "gemm_f32_by_4_bits";
    case WeightForm::kBits8:
      return "gemm_f32_by_8_bits";
    case WeightForm::kF16:
      return "gemm_f32_by_f16";
  }
  return "";
}

}  // namespace

absl::StatusOr<bool> EmitMatMul(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<MatMulAttributes>();
  if (attributes == nullptr || !IsF32(node)) return false;
  GemmStepOptions options;
  options.threads = builder.settings().threads;
  options.shapes =
      MatrixShapesOf(Dense(PlanBuilder::ShapeOf(node.input(0))),
                     Dense(PlanBuilder::ShapeOf(node.input(1))),
                     attributes->transpose_a, attributes->transpose_b);
  const MatrixShapes& shapes = options.shapes;
  const ElementType type = builder.settings().compute_type;
  if (type != ElementType::kF32) {
    DOVETAIL_ASSIGN_OR_RETURN(const bool taken,
                              EmitNarrowMatMul(node, shapes, type, builder));
    if (taken) return true;
  }

  std::vector<Operand> inputs(2);
  DOVETAIL_ASSIGN_OR_RETURN(inputs[0], builder.ReadPlain(node.input(0)));
  DOVETAIL_ASSIGN_OR_RETURN(inputs[1], SecondFactor(node, builder, options));

  DOVETAIL_ASSIGN_OR_RETURN(
      GemmEpilogue epilogue,
      FindGemmEpilogue(PlanBuilder::OutputOf(node),
                       RowsForEpilogue(node, shapes),
                       !options.compressed.has_value(), builder));
  const auto strides_of = [&](const GemmEpilogueInput& input) {
    return EpilogueInputOf(PlanBuilder::ShapeOf(epilogue.result), input.strides,
                           shapes.rows);
  };
  for (const GemmEpilogueInput& input : epilogue.inputs) {
    options.epilogue_inputs.push_back(strides_of(input));
  }
  options.epilogue = epilogue.program;
  if (epilogue.bias) options.bias = strides_of(*epilogue.bias);
  if (epilogue.residual) options.before = strides_of(*epilogue.residual);
  DOVETAIL_RETURN_IF_ERROR(FuseGemmEpilogue(epilogue, builder, inputs));
  const Operand scratch = builder.Scratch(GemmScratchBytes(options));
  const Operand output = builder.WritePlain(epilogue.result);
  const char* const kernel = KernelName(options);
  builder.Add(node, kernel, MakeGemmStep(std::move(options)), inputs, {output},
              scratch);
  return true;
}

}  // namespace dovetail::cpu
