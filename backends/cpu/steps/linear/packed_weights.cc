#include "dovetail/backends/cpu/steps/linear/packed_weights.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/backends/cpu/steps/linear/weight_expression.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// So that several threads share the packing of a large matrix.
constexpr int64_t kElementsAtATime = int64_t{1} << 20;

std::string PackingKey(Value weights, const MatrixShapes& shapes) {
  return absl::StrCat("gemm:", WeightKey(weights), ":", shapes.depth, ",",
                      shapes.columns, ":", shapes.b.row_stride, ",",
                      shapes.b.column_stride, ":",
                      absl::StrJoin(shapes.b_matrices, ","));
}

// What is packed, by whom and where to.
struct Packing {
  MatrixShapes shapes;
  std::shared_ptr<PackedWeights> packed;

  float* To(int64_t matrix) const {
    return static_cast<float*>(packed->data()) +
           matrix * PackedGemmElements(shapes.depth, shapes.columns);
  }
  void Pack(const Tensor& tensor, int64_t matrix, int64_t begin,
            int64_t end) const {
    const StridedMatrix b = {tensor.data<float>() + shapes.b_matrices[matrix],
                             shapes.b.row_stride, shapes.b.column_stride};
    PackGemmPanels(b, shapes.depth, shapes.columns, begin, end, To(matrix));
  }
  int64_t matrices() const {
    return static_cast<int64_t>(shapes.b_matrices.size());
  }
};

// Several threads share a large matrix.
void PackConstantWeights(const Tensor& tensor, const Packing& packing,
                         PlanBuilder& builder) {
  const MatrixShapes& shapes = packing.shapes;
  const int64_t panels = GemmPanels(shapes.columns);
  const int64_t each = std::max<int64_t>(
      1, kElementsAtATime / (shapes.depth * GemmPanelWidth()));
  const auto left = std::make_shared<std::atomic<int64_t>>(
      CeilDivide(panels, each) * packing.matrices());
  for (int64_t matrix = 0; matrix < packing.matrices(); ++matrix) {
    for (int64_t first = 0; first < panels; first += each) {
      // The place of the first panel stands for the part.
      const float* const part =
          packing.To(matrix) + first * shapes.depth * GemmPanelWidth();
      builder.DeferOnce(part, [=] {
        packing.Pack(tensor, matrix, first, std::min(panels, first + each));
        if (--*left == 0) packing.packed->set_filled();
        return absl::OkStatus();
      });
    }
  }
}

void PackComputedWeights(Value weights, const Packing& packing,
                         PlanBuilder& builder) {
  builder.DeferOnce(packing.packed.get(), [=]() -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor, EvaluateWeights(weights));
    for (int64_t matrix = 0; matrix < packing.matrices(); ++matrix) {
      packing.Pack(tensor, matrix, 0, GemmPanels(packing.shapes.columns));
    }
    packing.packed->set_filled();
    return absl::OkStatus();
  });
}

}  // namespace

absl::StatusOr<Operand> PackGemmWeights(Value weights,
                                        const MatrixShapes& shapes,
                                        PlanBuilder& builder) {
  const int64_t elements = PackedGemmElements(shapes.depth, shapes.columns);
  const int64_t matrices = static_cast<int64_t>(shapes.b_matrices.size());
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::shared_ptr<PackedWeights> packed,
      builder.weights().Get(
          PackingKey(weights, shapes),
          matrices * elements * static_cast<int64_t>(sizeof(float))));
  if (!packed->is_filled()) {
    if (const Tensor* tensor = PlanBuilder::ConstantOf(weights)) {
      PackConstantWeights(*tensor, {shapes, packed}, builder);
    } else {
      PackComputedWeights(weights, {shapes, packed}, builder);
    }
  }
  return builder.Hold(packed, packed->data());
}

}  // namespace dovetail::cpu
