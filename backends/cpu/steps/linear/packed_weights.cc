#include "dovetail/backends/cpu/steps/linear/packed_weights.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// So that several threads share the packing of a large matrix.
constexpr int64_t kElementsAtATime = int64_t{1} << 20;

std::string PackingKey(const Tensor& tensor, const MatrixShapes& shapes) {
  return absl::StrCat("gemm:", reinterpret_cast<uintptr_t>(tensor.raw_data()),
                      ":", shapes.depth, ",", shapes.columns, ":",
                      shapes.b.row_stride, ",", shapes.b.column_stride, ":",
                      absl::StrJoin(shapes.b_matrices, ","));
}

}  // namespace

absl::StatusOr<Operand> PackGemmWeights(const Tensor& tensor,
                                        const MatrixShapes& shapes,
                                        PlanBuilder& builder) {
  const int64_t elements = PackedGemmElements(shapes.depth, shapes.columns);
  const int64_t matrices = static_cast<int64_t>(shapes.b_matrices.size());
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::shared_ptr<PackedWeights> packed,
      builder.weights().Get(
          PackingKey(tensor, shapes),
          matrices * elements * static_cast<int64_t>(sizeof(float))));
  if (packed->is_filled()) return builder.Hold(packed, packed->data());

  const int64_t panels = GemmPanels(shapes.columns);
  const int64_t each = std::max<int64_t>(
      1, kElementsAtATime / (shapes.depth * GemmPanelWidth()));
  const int64_t parts = CeilDivide(panels, each);
  const auto left = std::make_shared<std::atomic<int64_t>>(parts * matrices);
  for (int64_t matrix = 0; matrix < matrices; ++matrix) {
    float* const to = static_cast<float*>(packed->data()) + matrix * elements;
    const StridedMatrix b = {tensor.data<float>() + shapes.b_matrices[matrix],
                             shapes.b.row_stride, shapes.b.column_stride};
    for (int64_t first = 0; first < panels; first += each) {
      // The place of the first panel stands for the part.
      builder.DeferOnce(to + first * shapes.depth * GemmPanelWidth(), [=] {
        PackGemmPanels(b, shapes.depth, shapes.columns, first,
                       std::min(panels, first + each), to);
        if (--*left == 0) packed->set_filled();
        return absl::OkStatus();
      });
    }
  }
  return builder.Hold(packed, packed->data());
}

}  // namespace dovetail::cpu
