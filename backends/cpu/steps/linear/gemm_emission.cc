#include "dovetail/backends/cpu/steps/linear/gemm_emission.h"

#include <cstdint>
#include <utility>

#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/cpu/kernels/linear/compressed_gemm.h"
#include "dovetail/backends/cpu/steps/linear/gemm_epilogue.h"
#include "dovetail/backends/cpu/steps/linear/gemm_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// The rows by which an epilogue sees the output, whose last axis has to be that
// of columns.
int64_t RowsForEpilogue(const MatMulProblem& problem) {
  return problem.node->input(1).shape().rank() == 1 ? -1 : problem.shapes.rows;
}

// Where the step finds what its epilogue reads.
void SetEpilogue(const GemmEpilogue& epilogue, GemmStepOptions& options) {
  const auto strides_of = [&](const GemmEpilogueInput& input) {
    return EpilogueInputOf(PlanBuilder::ShapeOf(epilogue.result), input.strides,
                           options.shapes.rows);
  };
  for (const GemmEpilogueInput& input : epilogue.inputs) {
    options.epilogue_inputs.push_back(strides_of(input));
  }
  options.epilogue = epilogue.program;
  if (epilogue.bias) options.bias = strides_of(*epilogue.bias);
  if (epilogue.residual) options.before = strides_of(*epilogue.residual);
}

// Whether the kernel adds to its sums.
bool TakesSums(const GemmStepOptions& options) {
  return !options.compressed.has_value() || options.quantization_group > 0 ||
         options.narrow || options.shapes.rows > kMaxThinRows;
}

absl::StatusOr<Operand> ReadNarrowRows(const MatMulProblem& problem,
                                       PlanBuilder& builder) {
  const Value a = problem.node->input(0);
  if (builder.FormatOf(a).type != ElementType::kBf16) {
    return builder.ReadPlain(a);
  }
  return builder.Read(a, {ElementType::kBf16, Layout::kPlanar});
}

}  // namespace

GemmStepOptions GemmOptionsOf(const MatMulProblem& problem,
                              const PlanBuilder& builder) {
  GemmStepOptions options;
  options.threads = builder.settings().threads;
  options.shapes = problem.shapes;
  return options;
}

absl::StatusOr<CompressedOperand> CompressedWeightsOf(
    const MatMulProblem& problem) {
  if (!IsWeightExpression(problem.node->input(1))) {
    return Unimplemented("weights that are computed");
  }
  return FindCompressedWeights(*problem.node, problem.shapes);
}

absl::Status EmitGemm(const MatMulProblem& problem, absl::string_view kernel,
                      GemmStepOptions options, std::vector<Operand> inputs,
                      PlanBuilder& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const GemmEpilogue epilogue,
      FindGemmEpilogue(PlanBuilder::OutputOf(*problem.node),
                       RowsForEpilogue(problem), TakesSums(options), builder));
  SetEpilogue(epilogue, options);
  DOVETAIL_RETURN_IF_ERROR(FuseGemmEpilogue(epilogue, builder, inputs));
  const Operand scratch = builder.Scratch(GemmScratchBytes(options));
  const Operand output = builder.WritePlain(epilogue.result);
  builder.Add(*problem.node, kernel, MakeGemmStep(std::move(options)), inputs,
              {output}, scratch);
  return absl::OkStatus();
}

absl::Status EmitNarrowGemm(
    const MatMulProblem& problem, absl::string_view kernel,
    GemmStepOptions options,
    absl::FunctionRef<absl::StatusOr<Operand>(PlanBuilder&)> weights,
    PlanBuilder& builder) {
  std::vector<Operand> inputs(2);
  DOVETAIL_ASSIGN_OR_RETURN(inputs[0], ReadNarrowRows(problem, builder));
  DOVETAIL_ASSIGN_OR_RETURN(inputs[1], weights(builder));
  options.b = SecondFactor::kPacked;
  options.narrow = true;
  options.is_rounded = inputs[0].format.type == ElementType::kBf16;
  return EmitGemm(problem, kernel, std::move(options), std::move(inputs),
                  builder);
}

}  // namespace dovetail::cpu
