#include "dovetail/core/ops/movement/layout/batch_space.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// The numbers of inputs 1 to 3.
struct Blocks {
  std::vector<int64_t> block, begin, end;
  int64_t product = 1;
};

absl::Status CheckInputs(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 2));
  for (int i = 1; i <= 3; ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, i, 1));
    DOVETAIL_RETURN_IF_ERROR(RequireLengthIsRank(context, i, 0));
    DOVETAIL_RETURN_IF_ERROR(RequireSameLength(context, 1, i));
  }
  return absl::OkStatus();
}

absl::Status CheckNumbers(const InferContext& context, int input,
                          const std::vector<int64_t>& numbers, int64_t batch,
                          int64_t min) {
  for (size_t axis = 0; axis < numbers.size(); ++axis) {
    if (numbers[axis] < min) {
      return context.Error("input ", input, " has ", numbers[axis], " at ",
                           axis, ", want ", min, " or more");
    }
  }
  if (numbers.empty() || numbers[0] == batch) return absl::OkStatus();
  return context.Error("input ", input, " has ", numbers[0],
                       " for the batch, want ", batch);
}

// The numbers when all are known, and that they are right.
absl::StatusOr<std::optional<Blocks>> ReadBlocks(const InferContext& context) {
  auto block = context.ints(1), begin = context.ints(2), end = context.ints(3);
  if (!block || !begin || !end) return std::nullopt;
  DOVETAIL_RETURN_IF_ERROR(CheckNumbers(context, 1, *block, 1, 1));
  DOVETAIL_RETURN_IF_ERROR(CheckNumbers(context, 2, *begin, 0, 0));
  DOVETAIL_RETURN_IF_ERROR(CheckNumbers(context, 3, *end, 0, 0));
  Blocks blocks{std::move(*block), std::move(*begin), std::move(*end)};
  for (size_t axis = 0; axis < blocks.block.size(); ++axis) {
    const std::optional<int64_t> product =
        CheckedMultiply(blocks.product, blocks.block[axis]);
    const bool fits = CheckedAdd(blocks.begin[axis], blocks.end[axis]) &&
                      product.has_value();
    if (!fits) return context.Error("the numbers of inputs 1 to 3 overflow");
    blocks.product = *product;
  }
  return blocks;
}

absl::Status DoesNotDivide(const InferContext& context, int axis,
                           const Dimension& extent, int64_t block) {
  return context.Error("axis ", axis, " of input 0 of shape ",
                       context.shape(0).ToString(), " has ",
                       extent.ToString(), " elements with its pads, which ",
                       block, " of input 1 does not divide");
}

// The interval of extents that `block` divides, over it.
absl::StatusOr<Dimension> Divided(const InferContext& context, int axis,
                                  const Dimension& extent, int64_t block) {
  const Dimension result(CeilDivide(extent, block).min(),
                         FloorDivide(extent, block).max());
  if (result.min() > result.max()) {
    return DoesNotDivide(context, axis, extent, block);
  }
  return result;
}

}  // namespace

absl::Status InferSpaceToBatch(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context));
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<Blocks> blocks,
                            ReadBlocks(context));
  PartialShape shape = context.shape(0);
  if (!shape.rank_known()) shape = ShapeOfLength(context.shape(1));
  if (shape.rank_known() && !blocks) shape = UnknownOfRank(shape.rank());
  if (context.shape(0).rank_known() && blocks) {
    shape[0] = shape[0] * Dimension(blocks->product);
    for (int axis = 1; axis < shape.rank(); ++axis) {
      const Dimension padded =
          shape[axis] + Dimension(blocks->begin[axis] + blocks->end[axis]);
      DOVETAIL_ASSIGN_OR_RETURN(
          shape[axis], Divided(context, axis, padded, blocks->block[axis]));
    }
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferBatchToSpace(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context));
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<Blocks> blocks,
                            ReadBlocks(context));
  PartialShape shape = context.shape(0);
  if (!shape.rank_known()) shape = ShapeOfLength(context.shape(1));
  if (shape.rank_known() && !blocks) shape = UnknownOfRank(shape.rank());
  if (context.shape(0).rank_known() && blocks) {
    DOVETAIL_ASSIGN_OR_RETURN(
        shape[0], Divided(context, 0, shape[0], blocks->product));
    for (int axis = 1; axis < shape.rank(); ++axis) {
      const int64_t crops = blocks->begin[axis] + blocks->end[axis];
      const Dimension whole = shape[axis] * Dimension(blocks->block[axis]);
      if (whole.max() < crops) {
        return context.Error("inputs 2 and 3 crop ", crops, " of ",
                             whole.ToString(), " elements of axis ", axis);
      }
      shape[axis] = whole - Dimension(crops);
    }
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
