#include "dovetail/core/reference/movement/layout/roll.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/reference/common/copy_view.h"

namespace dovetail {
namespace {

// A box of the data and where it goes.
struct Piece {
  StridedView from, to;
};

// For each axis how far its elements move: in [0, extent).
absl::StatusOr<std::vector<int64_t>> Shifts(const KernelContext& context) {
  const Shape& shape = context.input(0).shape();
  const Tensor& shift = context.input(1);
  const Tensor& axes = context.input(2);
  std::vector<int64_t> shifts(shape.rank(), 0);
  for (int64_t i = 0; i < axes.element_count(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis, NormalizeAxis(axes.ElementAsInt64(i), shape.rank()));
    const int64_t extent = shape[axis];
    if (extent == 0) continue;
    const int64_t by =
        shift.ElementAsInt64(shift.element_count() == 1 ? 0 : i) % extent;
    shifts[axis] = (shifts[axis] + by + extent) % extent;
  }
  return shifts;
}

// Cuts every piece in two along an axis: what stays in order, and what comes
// back in front.
std::vector<Piece> Cut(const std::vector<Piece>& pieces, int axis,
                       int64_t shift) {
  std::vector<Piece> result;
  for (const Piece& piece : pieces) {
    const int64_t stays = piece.from.shape[axis] - shift;
    result.push_back({Narrowed(piece.from, axis, 0, stays),
                      Narrowed(piece.to, axis, shift, stays)});
    result.push_back({Narrowed(piece.from, axis, stays, shift),
                      Narrowed(piece.to, axis, 0, shift)});
  }
  return result;
}

}  // namespace

absl::Status RollKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  if (data.element_count() == 0) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<int64_t> shifts,
                            Shifts(context));
  // At most as many pieces as elements: an axis is cut only if it has two.
  const StridedView whole = PackedView(data.shape());
  std::vector<Piece> pieces = {{whole, whole}};
  for (int axis = 0; axis < data.rank(); ++axis) {
    if (shifts[axis] != 0) pieces = Cut(pieces, axis, shifts[axis]);
  }
  for (const Piece& piece : pieces) {
    DOVETAIL_RETURN_IF_ERROR(
        CopyView(context, data, piece.from, context.output(0), piece.to));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
