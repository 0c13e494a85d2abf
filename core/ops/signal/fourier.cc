// DFT, IDFT, RDFT, IRDFT.
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"
#include "dovetail/core/ops/signal/signal.h"

namespace dovetail {
namespace {

absl::Status CheckInputs(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  if (!context.has_input(2)) return absl::OkStatus();
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 1));
  return RequireSameLength(context, 1, 2);
}

// That the last axis is one of complex numbers.
absl::Status CheckComplex(const InferContext& context, int input) {
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known()) return absl::OkStatus();
  if (shape.rank() >= 2 && shape[shape.rank() - 1].Contains(2)) {
    return absl::OkStatus();
  }
  return context.Error("input ", input, " has shape ", shape.ToString(),
                       ", want a last axis of 2: real and imaginary part");
}

// The axes, of `rank` that there are; nothing while they are not known.
absl::StatusOr<std::optional<std::vector<int>>> KnownAxes(
    const InferContext& context, int rank) {
  const Dimension count = LengthOf(context, 1);
  if (count.min() > rank) {
    return context.Error("input 1 has ", count.ToString(), " axes, want at ",
                         "most ", rank, " for input 0 of shape ",
                         context.shape(0).ToString());
  }
  const auto axes = context.ints(1);
  if (!axes.has_value()) return std::optional<std::vector<int>>();
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<int> checked,
                            CheckedAxes(context, *axes, rank));
  return std::optional<std::vector<int>>(std::move(checked));
}

// The extent that the i-th axis is cut or padded to; `own` when input 2 does
// not say.
absl::StatusOr<Dimension> SizeAlong(const InferContext& context, size_t i,
                                    const Dimension& own) {
  if (!context.has_input(2)) return own;
  const auto sizes = context.ints(2);
  if (!sizes.has_value()) return Dimension::Unknown();
  if (i >= sizes->size() || (*sizes)[i] == -1) return own;
  if ((*sizes)[i] >= 1) return Dimension((*sizes)[i]);
  return context.Error("signal_size ", (*sizes)[i], " is not positive");
}

// Applies SizeAlong to all axes but the last `skip`.
absl::Status Resize(const InferContext& context, const std::vector<int>& axes,
                    size_t skip, PartialShape& shape) {
  for (size_t i = 0; i + skip < axes.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(shape[axes[i]],
                              SizeAlong(context, i, shape[axes[i]]));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status InferDft(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context));
  DOVETAIL_RETURN_IF_ERROR(CheckComplex(context, 0));
  PartialShape shape = context.shape(0);
  if (shape.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(const auto axes,
                              KnownAxes(context, shape.rank() - 1));
    if (axes.has_value()) {
      DOVETAIL_RETURN_IF_ERROR(Resize(context, *axes, 0, shape));
    } else if (context.has_input(2)) {
      for (int i = 0; i + 1 < shape.rank(); ++i) shape[i] = Dimension();
    }
    shape[shape.rank() - 1] = Dimension(2);
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferRdft(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  PartialShape shape = context.shape(0);
  if (shape.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(const auto axes,
                              KnownAxes(context, shape.rank()));
    if (!axes.has_value()) {
      shape = PartialShape::OfRank(shape.rank());
    } else if (axes->empty()) {
      return context.Error("input 1 names no axis, want one or more");
    } else {
      DOVETAIL_RETURN_IF_ERROR(Resize(context, *axes, 0, shape));
      Dimension& last = shape[axes->back()];
      last = FloorDivide(last, 2) + Dimension(1);
    }
    shape.push_back(Dimension(2));
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferIrdft(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context));
  DOVETAIL_RETURN_IF_ERROR(CheckComplex(context, 0));
  const PartialShape& data = context.shape(0);
  PartialShape shape;
  if (data.rank_known()) {
    const int rank = data.rank() - 1;
    shape = PartialShape(
        std::vector<Dimension>(data.begin(), data.begin() + rank));
    DOVETAIL_ASSIGN_OR_RETURN(const auto axes, KnownAxes(context, rank));
    if (!axes.has_value()) {
      shape = PartialShape::OfRank(rank);
    } else if (axes->empty()) {
      return context.Error("input 1 names no axis, want one or more");
    } else {
      DOVETAIL_RETURN_IF_ERROR(Resize(context, *axes, 1, shape));
      Dimension& last = shape[axes->back()];
      DOVETAIL_ASSIGN_OR_RETURN(
          last, SizeAlong(context, axes->size() - 1,
                          (last - Dimension(1)) * Dimension(2)));
    }
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
