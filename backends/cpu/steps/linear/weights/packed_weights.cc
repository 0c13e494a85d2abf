#include "dovetail/backends/cpu/steps/linear/weights/packed_weights.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// So that several threads share the packing of a large matrix.
constexpr int64_t kElementsAtATime = int64_t{1} << 20;

PackingKey KeyOf(Value weights, const MatrixShapes& shapes) {
  PackingKey key = WeightKey(weights);
  key.form =
      absl::StrCat("gemm:", key.form, ":", shapes.depth, ",", shapes.columns,
                   ":", shapes.b.row_stride, ",", shapes.b.column_stride, ":",
                   absl::StrJoin(shapes.b_matrices, ","));
  return key;
}

int64_t MatricesOf(const MatrixShapes& shapes) {
  return static_cast<int64_t>(shapes.b_matrices.size());
}

int64_t PackedBytes(const MatrixShapes& shapes) {
  return MatricesOf(shapes) * PackedGemmElements(shapes.depth, shapes.columns) *
         static_cast<int64_t>(sizeof(float));
}

// Packs panels [begin, end) of one matrix of the tensor, wherever it lies.
void Pack(const Tensor& tensor, const MatrixShapes& shapes, int64_t matrix,
          int64_t begin, int64_t end, void* packed) {
  const auto* const elements = static_cast<const float*>(tensor.address());
  const StridedMatrix b = {elements + shapes.b_matrices[matrix],
                           shapes.b.row_stride, shapes.b.column_stride};
  float* const to = static_cast<float*>(packed) +
                    matrix * PackedGemmElements(shapes.depth, shapes.columns);
  PackGemmPanels(b, shapes.depth, shapes.columns, begin, end, to);
}

struct Packing {
  int parts;
  PackFn pack;
};

// Several threads share a large matrix.
Packing PackingOfConstant(const MatrixShapes& shapes) {
  const int64_t panels = GemmPanels(shapes.columns);
  const int64_t each = std::max<int64_t>(
      1, kElementsAtATime / (shapes.depth * GemmPanelWidth()));
  const int64_t parts = CeilDivide(panels, each);
  const auto pack = [=](absl::Span<const Tensor> constants, void* packed,
                        int part) {
    const int64_t first = part % parts * each;
    Pack(constants[0], shapes, part / parts, first,
         std::min(panels, first + each), packed);
    return absl::OkStatus();
  };
  return {static_cast<int>(parts * MatricesOf(shapes)), pack};
}

Packing PackingOfComputed(Value weights, const MatrixShapes& shapes) {
  const auto pack = [=](absl::Span<const Tensor>, void* packed,
                        int) -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor, EvaluateWeights(weights));
    for (int64_t matrix = 0; matrix < MatricesOf(shapes); ++matrix) {
      Pack(tensor, shapes, matrix, 0, GemmPanels(shapes.columns), packed);
    }
    return absl::OkStatus();
  };
  return {1, pack};
}

}  // namespace

absl::StatusOr<Operand> PackGemmWeights(Value weights,
                                        const MatrixShapes& shapes,
                                        PlanBuilder& builder) {
  const Packing packing = PlanBuilder::IsConstant(weights)
                              ? PackingOfConstant(shapes)
                              : PackingOfComputed(weights, shapes);
  return builder.GetOrPack(KeyOf(weights, shapes), PackedBytes(shapes),
                           packing.pack, packing.parts, Alignment::kAny);
}

bool AreGemmWeightsPacked(Value weights, const MatrixShapes& shapes,
                          const PlanBuilder& builder) {
  return builder.IsPacked(KeyOf(weights, shapes), PackedBytes(shapes));
}

}  // namespace dovetail::cpu
