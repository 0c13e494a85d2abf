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
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/unpacked_product.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_gemm.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_rows.h"
#include "dovetail/backends/cpu/steps/common/floats_of_integers.h"
#include "dovetail/backends/cpu/steps/linear/gemm_emission.h"
#include "dovetail/backends/cpu/steps/linear/gemm_options.h"
#include "dovetail/backends/cpu/steps/linear/weights/compressed_weights.h"
#include "dovetail/backends/cpu/steps/linear/weights/packed_weights.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::cpu {
namespace {

absl::StatusOr<Operand> ReadFirstFactor(const MatMulProblem& problem,
                                        PlanBuilder& builder) {
  if (problem.integers.has_value()) {
    DOVETAIL_RETURN_IF_ERROR(
        EmitFloatsOfIntegers(*problem.node, *problem.integers, builder));
  }
  return builder.ReadPlain(problem.node->input(0));
}

absl::string_view NameOf(WeightForm form) {
  switch (form) {
    case WeightForm::kBits2:
      return "2_bits";
    case WeightForm::kBits4:
      return "4_bits";
    case WeightForm::kBits8:
      return "8_bits";
    case WeightForm::kCodeBook:
      return "code_book";
    case WeightForm::kF16:
      return "f16";
  }
  return "";
}

// quantization_group: as in GemmStepOptions.
KernelOffer OfferCompressed(const MatMulProblem& problem, std::string name,
                            int64_t quantization_group,
                            CompressedOperand weights) {
  KernelOffer offer;
  offer.emit = [&problem, name = std::move(name), quantization_group,
                weights = std::move(weights)](PlanBuilder& plan) {
    GemmStepOptions options = GemmOptionsOf(problem, plan);
    options.b = SecondFactor::kPacked;
    options.compressed = weights.matrix;
    options.quantization_group = quantization_group;
    std::vector<Operand> inputs(2);
    DOVETAIL_ASSIGN_OR_RETURN(inputs[0], ReadFirstFactor(problem, plan));
    DOVETAIL_ASSIGN_OR_RETURN(inputs[1], weights.pack(plan));
    return EmitGemm(problem, name, std::move(options), std::move(inputs), plan);
  };
  return offer;
}

// From how many rows on tiles are faster than the kernels that come next: dot
// products of bytes, which take codes of 8 bits as they are, and of f32 (Xeon
// with AMX).
int64_t FewestUnpackedRows(const CompressedMatrix& weights, int64_t group) {
  const int bits = group > 0 ? BitsOfCodes(weights) : 0;
  return bits == 8 ? kManyNarrowRows : bits > 0 ? 64 : 16;
}

// Weights of so many bytes take long to pack.
constexpr int64_t kManyBytes = int64_t{1} << 20;
// Columns of so many elements are read about as fast from the small pages of a
// file as packed ones from large pages, which take ten times as long to load:
// llama_small_decode 2.24 ms, packed 2.58; gpt2_decode 17.8, 17.1; loaded in 43
// and 333 (two threads of a Xeon with AMX).
constexpr int64_t kLongColumn = 256;

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
  if (weights->type() != ElementType::kF32 || !weights->is_contiguous()) {
    return Unimplemented("weights that are no dense matrix of f32");
  }
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
  if (!weights->is_read_only()) {
    return Unimplemented("weights that are to be copied");
  }
  if (AreGemmWeightsPacked(b, shapes, builder)) {
    return Unimplemented("weights that are packed already");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<KernelOffer> TryUnpackedGemm(const MatMulProblem& problem,
                                            const PlanBuilder& builder) {
  if (ComputeTypeOf(*problem.node, builder.settings()) != ElementType::kBf16) {
    return Unimplemented("bf16 is not asked for");
  }
  if (!HasUnpackedProducts()) return Unimplemented("no tiles of bf16");
  if (problem.integers.has_value()) return Unimplemented("rows of integers");
  DOVETAIL_ASSIGN_OR_RETURN(CompressedOperand weights,
                            CompressedWeightsOf(problem));
  const int64_t fewest = FewestUnpackedRows(
      weights.matrix, QuantizationGroupOf(*problem.node, builder.settings()));
  if (problem.shapes.rows < fewest) {
    return Unimplemented(problem.shapes.rows, " rows of the ", fewest,
                         " that tiles are faster for");
  }
  KernelOffer offer;
  offer.emit = [&problem, weights = std::move(weights)](PlanBuilder& plan) {
    GemmStepOptions options = GemmOptionsOf(problem, plan);
    options.compressed = weights.matrix;
    return EmitNarrowGemm(
        problem, absl::StrCat("gemm_bf16_by_", NameOf(weights.matrix.form)),
        std::move(options), weights.pack, plan);
  };
  return offer;
}

absl::StatusOr<KernelOffer> TryQuantizedGemm(const MatMulProblem& problem,
                                             const PlanBuilder& builder) {
  if (!HasQuantizedGemm()) return Unimplemented("no dot products of bytes");
  const int64_t group = QuantizationGroupOf(*problem.node, builder.settings());
  if (group == 0) return Unimplemented("activations are not to be quantized");
  DOVETAIL_ASSIGN_OR_RETURN(CompressedOperand weights,
                            CompressedWeightsOf(problem));
  const int bits = BitsOfCodes(weights.matrix);
  if (bits == 0) return Unimplemented("weights that are no integers");
  return OfferCompressed(problem, absl::StrCat("gemm_s8_by_", bits, "_bits"),
                         group, std::move(weights));
}

absl::StatusOr<KernelOffer> TryCompressedGemm(const MatMulProblem& problem,
                                              const PlanBuilder&) {
  DOVETAIL_ASSIGN_OR_RETURN(CompressedOperand weights,
                            CompressedWeightsOf(problem));
  return OfferCompressed(
      problem, absl::StrCat("gemm_f32_by_", NameOf(weights.matrix.form)), 0,
      std::move(weights));
}

absl::StatusOr<KernelOffer> TryGemmInPlace(const MatMulProblem& problem,
                                           const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckInPlace(problem, builder));
  KernelOffer offer;
  offer.emit = [&problem](PlanBuilder& plan) {
    const Tensor& weights = *PlanBuilder::ConstantOf(problem.node->input(1));
    GemmStepOptions options = GemmOptionsOf(problem, plan);
    options.b = SecondFactor::kInPlace;
    options.asks_ahead = plan.settings().machine_model().asks_ahead();
    FetchPages(weights, plan);
    std::vector<Operand> inputs(2);
    DOVETAIL_ASSIGN_OR_RETURN(inputs[0], ReadFirstFactor(problem, plan));
    // Wherever they lie: asking a tensor for elements may copy them.
    inputs[1] = plan.AddConstant(std::make_shared<Tensor>(weights),
                                 weights.address(), weights.byte_size());
    plan.KeepAlive(MappedFile::KeepPages(
        weights.address(), static_cast<size_t>(weights.byte_size())));
    return EmitGemm(problem, "gemm_f32_in_place", std::move(options),
                    std::move(inputs), plan);
  };
  return offer;
}

absl::StatusOr<KernelOffer> TryGemm(const MatMulProblem& problem,
                                    const PlanBuilder&) {
  KernelOffer offer;
  offer.emit = [&problem](PlanBuilder& plan) {
    const Value b = problem.node->input(1);
    GemmStepOptions options = GemmOptionsOf(problem, plan);
    const bool is_constant = IsWeightExpression(b);
    if (is_constant) options.b = SecondFactor::kPacked;
    std::vector<Operand> inputs(2);
    DOVETAIL_ASSIGN_OR_RETURN(inputs[0], ReadFirstFactor(problem, plan));
    // What is computed the step packs.
    DOVETAIL_ASSIGN_OR_RETURN(
        inputs[1], is_constant ? PackGemmWeights(b, options.shapes, plan)
                               : plan.ReadPlain(b));
    return EmitGemm(problem, "gemm_f32", std::move(options), std::move(inputs),
                    plan);
  };
  return offer;
}

}  // namespace dovetail::cpu
