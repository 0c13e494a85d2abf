#include "dovetail/backends/cpu/steps/linear/weights/compressed_weights.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/linear/group_numbers.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/transformations/low_precision/weights/compressed_weights.h"

namespace dovetail::cpu {
namespace {

// What one thread packs of a large matrix.
constexpr int64_t kElementsAtATime = int64_t{1} << 20;

// A matrix and what it is packed of, which the model keeps alive.
struct Packing {
  CompressedMatrix matrix;
  CodeSource codes;
  GroupNumbers scales, zeros;
};

std::optional<WeightForm> FormOf(ElementType type) {
  switch (type) {
    case ElementType::kI2:
    case ElementType::kU2:
      return WeightForm::kBits2;
    case ElementType::kI4:
    case ElementType::kU4:
      return WeightForm::kBits4;
    case ElementType::kI8:
    case ElementType::kU8:
      return WeightForm::kBits8;
    case ElementType::kNf4:
    case ElementType::kF4E2M1:
      return WeightForm::kCodeBook;
    default:
      return std::nullopt;
  }
}

GroupSource SourceOf(const GroupNumbers& numbers) {
  return {numbers.numbers.data<float>(), numbers.group_stride,
          numbers.column_stride};
}

absl::Status AddNumbers(const CompressedWeights& weights, bool transposed,
                        Packing& packing) {
  const auto offset = static_cast<float>(CodeOffset(packing.codes.type));
  DOVETAIL_ASSIGN_OR_RETURN(packing.scales, ScalesOf(weights, transposed));
  DOVETAIL_ASSIGN_OR_RETURN(packing.zeros,
                            ZeroPointsOf(weights, transposed, offset));
  packing.matrix.zero = packing.zeros.At(0, 0);
  packing.matrix.has_zeros = !packing.zeros.AreEqual();
  return absl::OkStatus();
}

// Codes and sizes of weights whose groups have `group` rows.
Packing PackingOf(const Tensor& stored, WeightForm form, int64_t group,
                  const MatrixShapes& shapes) {
  Packing packing;
  packing.matrix.form = form;
  packing.matrix.depth = shapes.depth;
  packing.matrix.columns = shapes.columns;
  packing.matrix.group = group;
  packing.codes = {stored.raw_data(), stored.type(), shapes.b.row_stride,
                   shapes.b.column_stride};
  return packing;
}

absl::StatusOr<Packing> MatchCodes(const Node& matmul,
                                   const MatrixShapes& shapes) {
  const auto weights = MatchCompressedWeights(matmul);
  if (!weights.has_value()) return Unimplemented("weights of f32");
  const Tensor& stored = *PlanBuilder::PackableConstantOf(weights->constant);
  const std::optional<WeightForm> form = FormOf(stored.type());
  if (!form.has_value()) {
    return Unimplemented("weights of ", ElementTypeName(stored.type()));
  }
  Packing packing = PackingOf(stored, *form, weights->group_size, shapes);
  CompressedMatrix& matrix = packing.matrix;
  if (matrix.groups() > 1 && matrix.group % matrix.RowsInUnit() != 0) {
    return Unimplemented("groups of ", matrix.group, " rows");
  }
  if (*form == WeightForm::kCodeBook) matrix.book = CodeBookOf(stored.type());
  const bool transposed = matmul.As<MatMulAttributes>()->transpose_b;
  DOVETAIL_RETURN_IF_ERROR(AddNumbers(*weights, transposed, packing));
  return packing;
}

absl::StatusOr<Packing> Match(const Node& matmul, const MatrixShapes& shapes) {
  if (shapes.batch != 1 || shapes.b_matrices.size() != 1) {
    return Unimplemented("several products");
  }
  if (shapes.a.column_stride != 1) {
    return Unimplemented("rows with gaps between their elements");
  }
  if (const Value weights = MatchF16Weights(matmul)) {
    return PackingOf(*PlanBuilder::PackableConstantOf(weights),
                     WeightForm::kF16, shapes.depth, shapes);
  }
  return MatchCodes(matmul, shapes);
}

PackingKey KeyOf(const Node& matmul, const CompressedMatrix& matrix) {
  PackingKey key = WeightKey(matmul.input(1));
  key.form = absl::StrCat("compressed:", key.form, ":", matrix.depth, ",",
                          matrix.columns, ":",
                          matmul.As<MatMulAttributes>()->transpose_b);
  return key;
}

// Several threads share a large matrix.
absl::StatusOr<Operand> Pack(const Node& matmul,
                             const std::shared_ptr<const Packing>& packing,
                             PlanBuilder& builder) {
  const CompressedMatrix& matrix = packing->matrix;
  const int64_t panels = GemmPanels(matrix.columns);
  const int64_t each = std::max<int64_t>(
      1, kElementsAtATime / (matrix.depth * GemmPanelWidth()));
  const auto pack = [=](absl::Span<const Tensor>, void* packed, int part) {
    PackCompressedPanels(packing->matrix, packing->codes,
                         SourceOf(packing->scales), SourceOf(packing->zeros),
                         part * each, std::min(panels, (part + 1) * each),
                         static_cast<uint8_t*>(packed));
    return absl::OkStatus();
  };
  return builder.GetOrPack(KeyOf(matmul, matrix), matrix.Bytes(), pack,
                           static_cast<int>(CeilDivide(panels, each)));
}

}  // namespace

absl::StatusOr<CompressedOperand> FindCompressedWeights(
    const Node& matmul, const MatrixShapes& shapes) {
  DOVETAIL_ASSIGN_OR_RETURN(Packing matched, Match(matmul, shapes));
  const auto packing = std::make_shared<const Packing>(std::move(matched));
  CompressedOperand operand;
  operand.matrix = packing->matrix;
  operand.pack = [&matmul, packing](PlanBuilder& builder) {
    return Pack(matmul, packing, builder);
  };
  return operand;
}

}  // namespace dovetail::cpu
