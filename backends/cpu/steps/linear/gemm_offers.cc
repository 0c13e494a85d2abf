#include "dovetail/backends/cpu/steps/linear/gemm_offers.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
#include "dovetail/backends/cpu/kernels/linear/compressed_gemm.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_gemm.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_rows.h"
#include "dovetail/backends/cpu/steps/common/floats_of_integers.h"
#include "dovetail/backends/cpu/steps/linear/gemm_epilogue.h"
#include "dovetail/backends/cpu/steps/linear/gemm_step.h"
#include "dovetail/backends/cpu/steps/linear/weights/compressed_weights.h"
#include "dovetail/backends/cpu/steps/linear/weights/packed_weights.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/mapped_file.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::cpu {
namespace {

// The rows by which an epilogue sees the output, whose last axis has to be that
// of columns.
int64_t RowsForEpilogue(const MatMulProblem& problem) {
  return problem.node->input(1).shape().rank() == 1 ? -1 : problem.shapes.rows;
}

GemmStepOptions OptionsOf(const MatMulProblem& problem,
                          const PlanBuilder& builder) {
  GemmStepOptions options;
  options.threads = builder.settings().threads;
  options.shapes = problem.shapes;
  return options;
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
         options.shapes.rows > kMaxThinRows;
}

// The step, whose factors are `inputs`, with what follows.
absl::Status Emit(const MatMulProblem& problem, absl::string_view kernel,
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

absl::StatusOr<Operand> ReadFirstFactor(const MatMulProblem& problem,
                                        PlanBuilder& builder) {
  if (problem.integers.has_value()) {
    DOVETAIL_RETURN_IF_ERROR(
        EmitFloatsOfIntegers(*problem.node, *problem.integers, builder));
  }
  return builder.ReadPlain(problem.node->input(0));
}

absl::string_view KernelName(WeightForm form) {
  switch (form) {
    case WeightForm::kBits2:
      return "gemm_f32_by_2_bits";
    case WeightForm::kBits4:
      return "gemm_f32_by_4_bits";
    case WeightForm::kBits8:
      return "gemm_f32_by_8_bits";
    case WeightForm::kCodeBook:
      return "gemm_f32_by_code_book";
    case WeightForm::kF16:
      return "gemm_f32_by_f16";
  }
  return "";
}

absl::StatusOr<CompressedOperand> WeightsOf(const MatMulProblem& problem) {
  if (!IsWeightExpression(problem.node->input(1))) {
    return Unimplemented("weights that are computed");
  }
  return FindCompressedWeights(*problem.node, problem.shapes);
}

// quantization_group: as in GemmStepOptions.
KernelOffer OfferCompressed(const MatMulProblem& problem, std::string name,
                            int64_t quantization_group,
                            CompressedOperand weights) {
  KernelOffer offer;
  offer.emit = [&problem, name = std::move(name), quantization_group,
                weights = std::move(weights)](PlanBuilder& plan) {
    GemmStepOptions options = OptionsOf(problem, plan);
    options.b = SecondFactor::kPacked;
    options.compressed = weights.matrix;
    options.quantization_group = quantization_group;
    std::vector<Operand> inputs(2);
    DOVETAIL_ASSIGN_OR_RETURN(inputs[0], ReadFirstFactor(problem, plan));
    DOVETAIL_ASSIGN_OR_RETURN(inputs[1], weights.pack(plan));
    return Emit(problem, name, std::move(options), std::move(inputs), plan);
  };
  return offer;
}

// Weights of so many bytes come from memory in each run, and take long to pack.
constexpr int64_t kManyBytes = int64_t{8} << 20;
// Columns of so many elements, four pages, are read as fast from small pages as
// packed ones from large pages. Short ones are a tenth slower (Zen 3).
constexpr int64_t kLongColumn = 4096;

// Fetched by several threads when the plan is made, and not by the first
// inference.
void FetchPages(const Tensor& weights, PlanBuilder& builder) {
  constexpr int64_t kAtATime = int64_t{16} << 20;
  for (int64_t at = 0; at < weights.byte_size(); at += kAtATime) {
    const int64_t size = std::min(kAtATime, weights.byte_size() - at);
    const void* const first = static_cast<const char*>(weights.address()) + at;
    builder.Defer([=] {
      MappedFile::FetchPages(first, static_cast<size_t>(size));
      return absl::OkStatus();
    });
  }
}

absl::Status CheckInPlace(const MatMulProblem& problem,
                          const PlanBuilder& builder) {
  const MatrixShapes& shapes = problem.shapes;
  const Value b = problem.node->input(1);
  const Tensor* const weights = PlanBuilder::PackableConstantOf(b);
  if (weights == nullptr) return Unimplemented("weights that are computed");
  if (shapes.batch * shapes.rows != 1 || shapes.a.column_stride != 1) {
    return Unimplemented("more than a row");
  }
  if (shapes.b.row_stride != 1 || shapes.b.column_stride != shapes.depth) {
    return Unimplemented("columns that do not lie one after the other");
  }
  if (weights->byte_size() < kManyBytes || shapes.depth < kLongColumn) {
    return Unimplemented(weights->byte_size(),
                         " bytes of weights in columns of ", shapes.depth,
                         " elements");
  }
  // What an application may write, it may change.
  if (!weights->is_read_only() ||
      reinterpret_cast<uintptr_t>(weights->address()) % alignof(float) != 0) {
    return Unimplemented("weights that are to be copied");
  }
  if (AreGemmWeightsPacked(b, shapes, builder)) {
    return Unimplemented("weights that are packed already");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<KernelOffer> TryQuantizedGemm(const MatMulProblem& problem,
                                             const PlanBuilder& builder) {
  if (!HasQuantizedGemm()) return Unimplemented("no dot products of bytes");
  const int64_t group = QuantizationGroupOf(*problem.node, builder.settings());
  if (group == 0) return Unimplemented("activations are not to be quantized");
  DOVETAIL_ASSIGN_OR_RETURN(CompressedOperand weights, WeightsOf(problem));
  const int bits = BitsOfCodes(weights.matrix);
  if (bits == 0) return Unimplemented("weights that are no integers");
  return OfferCompressed(problem, absl::StrCat("gemm_s8_by_", bits, "_bits"),
                         group, std::move(weights));
}

absl::StatusOr<KernelOffer> TryCompressedGemm(const MatMulProblem& problem,
                                              const PlanBuilder&) {
  DOVETAIL_ASSIGN_OR_RETURN(CompressedOperand weights, WeightsOf(problem));
  const absl::string_view name = KernelName(weights.matrix.form);
  return OfferCompressed(problem, std::string(name), 0, std::move(weights));
}

absl::StatusOr<KernelOffer> TryGemmInPlace(const MatMulProblem& problem,
                                           const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckInPlace(problem, builder));
  KernelOffer offer;
  offer.emit = [&problem](PlanBuilder& plan) {
    const Value b = problem.node->input(1);
    GemmStepOptions options = OptionsOf(problem, plan);
    options.b = SecondFactor::kInPlace;
    FetchPages(*PlanBuilder::PackableConstantOf(b), plan);
    std::vector<Operand> inputs(2);
    DOVETAIL_ASSIGN_OR_RETURN(inputs[0], ReadFirstFactor(problem, plan));
    DOVETAIL_ASSIGN_OR_RETURN(inputs[1], plan.ReadPlain(b));
    return Emit(problem, "gemm_f32_in_place", std::move(options),
                std::move(inputs), plan);
  };
  return offer;
}

absl::StatusOr<KernelOffer> TryGemm(const MatMulProblem& problem,
                                    const PlanBuilder&) {
  KernelOffer offer;
  offer.emit = [&problem](PlanBuilder& plan) {
    const Value b = problem.node->input(1);
    GemmStepOptions options = OptionsOf(problem, plan);
    const bool is_constant = IsWeightExpression(b);
    if (is_constant) options.b = SecondFactor::kPacked;
    std::vector<Operand> inputs(2);
    DOVETAIL_ASSIGN_OR_RETURN(inputs[0], ReadFirstFactor(problem, plan));
    // What is computed the step packs.
    DOVETAIL_ASSIGN_OR_RETURN(
        inputs[1], is_constant ? PackGemmWeights(b, options.shapes, plan)
                               : plan.ReadPlain(b));
    return Emit(problem, "gemm_f32", std::move(options), std::move(inputs),
                plan);
  };
  return offer;
}

}  // namespace dovetail::cpu
