#include "dovetail/core/ops/movement/layout/batch_space.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// The numbers of inputs 1 to 3 as far as they are known, one an axis.
struct Blocks {
  std::vector<Dimension> block, begin, end;
  Dimension product = 1;  // of all blocks
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

// The numbers of an input, which are `batch` for axis 0 and at least `min`.
absl::StatusOr<std::vector<Dimension>> ReadNumbers(const InferContext& context,
                                                   int input, int64_t batch,
                                                   int64_t min) {
  std::vector<Dimension> numbers(context.shape(0).rank(),
                                 Dimension(min, Dimension::kInfinity));
  numbers[0] = batch;
  const ValueRange* value = context.value(input);
  for (int64_t axis = 0; value != nullptr && axis < value->size(); ++axis) {
    const ValueRange::Interval& element = (*value)[axis];
    // Beyond it bounds are not exact, and nothing real is.
    constexpr double kMax = 1e15;
    if (element.lower > kMax) {
      return context.Error("input ", input, " has ", element.lower, " at ",
                           axis, ", want ", kMax, " or less");
    }
    if (element.upper < min) {
      return context.Error("input ", input, " has ", element.upper, " at ",
                           axis, ", want ", min, " or more");
    }
    const auto least = static_cast<double>(min);
    const std::optional<Dimension> number =
        Intersect(numbers[axis], ExtentOf({std::max(element.lower, least),
                                           element.upper}));
    if (!number.has_value()) {
      return context.Error("input ", input, " has ", element.lower,
                           " for the batch, want ", batch);
    }
    numbers[axis] = *number;
  }
  return numbers;
}

// All numbers, for data of known rank.
absl::StatusOr<Blocks> ReadBlocks(const InferContext& context) {
  Blocks blocks;
  DOVETAIL_ASSIGN_OR_RETURN(blocks.block, ReadNumbers(context, 1, 1, 1));
  DOVETAIL_ASSIGN_OR_RETURN(blocks.begin, ReadNumbers(context, 2, 0, 0));
  DOVETAIL_ASSIGN_OR_RETURN(blocks.end, ReadNumbers(context, 3, 0, 0));
  for (size_t axis = 0; axis < blocks.block.size(); ++axis) {
    blocks.product = blocks.product * blocks.block[axis];
    const Dimension both = blocks.begin[axis] + blocks.end[axis];
    constexpr int64_t kTooMany = Dimension::kInfinity - 1;
    if (both.min() >= kTooMany || blocks.product.min() >= kTooMany) {
      return context.Error("the numbers of inputs 1 to 3 overflow");
    }
  }
  return blocks;
}

// The interval of extents that a block divides, over it.
absl::StatusOr<Dimension> Divided(const InferContext& context, int axis,
                                  const Dimension& extent,
                                  const Dimension& block) {
  const Dimension result(CeilDivide(extent, block.max()).min(),
                         FloorDivide(extent, block.min()).max());
  if (result.min() <= result.max()) return result;
  return context.Error("axis ", axis, " of input 0 of shape ",
                       context.shape(0).ToString(), " has ",
                       extent.ToString(), " elements with its pads, which ",
                       block.ToString(), " of input 1 does not divide");
}

}  // namespace

absl::Status InferSpaceToBatch(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context));
  PartialShape shape = context.shape(0);
  if (!shape.rank_known()) {
    context.SetOutput(0, context.type(0), ShapeOfLength(context.shape(1)));
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Blocks blocks, ReadBlocks(context));
  shape[0] = shape[0] * blocks.product;
  for (int axis = 1; axis < shape.rank(); ++axis) {
    const Dimension padded =
        shape[axis] + blocks.begin[axis] + blocks.end[axis];
    DOVETAIL_ASSIGN_OR_RETURN(
        shape[axis], Divided(context, axis, padded, blocks.block[axis]));
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferBatchToSpace(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context));
  PartialShape shape = context.shape(0);
  if (!shape.rank_known()) {
    context.SetOutput(0, context.type(0), ShapeOfLength(context.shape(1)));
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Blocks blocks, ReadBlocks(context));
  DOVETAIL_ASSIGN_OR_RETURN(shape[0],
                            Divided(context, 0, shape[0], blocks.product));
  for (int axis = 1; axis < shape.rank(); ++axis) {
    const Dimension crops = blocks.begin[axis] + blocks.end[axis];
    const Dimension whole = shape[axis] * blocks.block[axis];
    if (whole.max() < crops.min()) {
      return context.Error("inputs 2 and 3 crop ", crops.ToString(), " of ",
                           whole.ToString(), " elements of axis ", axis);
    }
    shape[axis] = whole - crops;
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
