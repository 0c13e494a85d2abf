#include "dovetail/core/ops/movement/reshaping/reshape.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// One extent of the new shape, from what is known of its number.
absl::StatusOr<Dimension> NewExtent(const InferContext& context,
                                    const ValueRange::Interval& number,
                                    int axis, bool special_zero) {
  const PartialShape& data = context.shape(0);
  const bool inside = data.rank_known() && axis < data.rank();
  if (number.is_exact()) {
    if (number.lower < 0) {
      return context.Error("input 1, the new shape, has ", number.lower,
                           " at ", axis, ", want -1 or more");
    }
    if (number.lower > 0 || !special_zero) {
      return ExtentOf(number);
    }
    if (!data.rank_known()) return Dimension::Unknown();
    if (!inside) {
      return context.Error("input 1, the new shape, has 0 at ", axis,
                           ", but input 0 of shape ", data.ToString(),
                           " has no such axis to copy");
    }
    return data[axis];
  }
  const Dimension extent = ExtentOf(number);
  if (special_zero && extent.Contains(0)) {
    return inside ? Union(extent, data[axis]) : Dimension::Unknown();
  }
  return extent;
}

// What is left of `total` elements for one extent beside `others`.
absl::StatusOr<Dimension> LeftOver(const InferContext& context,
                                   const Dimension& total,
                                   const Dimension& others) {
  if (others.is_static() && others.value() == 0) {
    if (total.Contains(0)) return Dimension(0);
    return context.Error(
        "input 1, the new shape, has -1 beside an extent of 0, but input 0 of "
        "shape ",
        context.shape(0).ToString(), " has elements");
  }
  if (others.is_static() && total.is_static()) {
    if (total.value() % others.value() != 0) {
      return context.Error("input 0 of shape ", context.shape(0).ToString(),
                           " has ", total.value(),
                           " elements to divide, which is no multiple of ",
                           others.value(), ", the rest of the new shape");
    }
    return Dimension(total.value() / others.value());
  }
  if (total.is_static() && total.value() == 0) return Dimension::Unknown();
  // What is not empty has no extent of 0.
  const int64_t least = total.min() == 0 || others.max() == 0
                            ? 0
                            : CeilDivide(total.min(), others.max());
  const int64_t most =
      total.max() == Dimension::kInfinity || others.min() == 0
          ? Dimension::kInfinity
          : total.max() / others.min();
  if (least > most) {
    return context.Error("input 0 of shape ", context.shape(0).ToString(),
                         " does not divide into the new shape");
  }
  return Dimension(least, most);
}

// The product of all extents but those that are marked.
Dimension ProductBeside(const PartialShape& shape,
                        const std::vector<bool>& marked) {
  Dimension product(1);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const bool skip =
        axis < static_cast<int>(marked.size()) && marked[axis];
    if (!skip) product = product * shape[axis];
  }
  return product;
}

bool IsZeroBeside(const PartialShape& shape, int axis) {
  std::vector<bool> marked(shape.rank(), false);
  marked[axis] = true;
  const Dimension others = ProductBeside(shape, marked);
  return others.is_static() && others.value() == 0;
}

// Gives the extent at `axis` what all others leave of the elements. Extents
// that are copied from the data where they are cancel out, known or not: so -1
// has a meaning beside a 0 that is copied.
absl::Status Solve(const InferContext& context, const ValueRange& pattern,
                   int axis, PartialShape& shape) {
  const PartialShape& data = context.shape(0);
  if (!data.rank_known()) return absl::OkStatus();
  std::vector<bool> copied(shape.rank(), false);
  for (int i = 0; i < shape.rank() && i < data.rank(); ++i) {
    copied[i] = pattern[i].is_exact() && pattern[i].lower == 0 &&
                context.attributes<ReshapeAttributes>().special_zero;
  }
  const Dimension total = ProductBeside(data, copied);
  copied[axis] = true;
  DOVETAIL_ASSIGN_OR_RETURN(
      const Dimension left,
      LeftOver(context, total, ProductBeside(shape, copied)));
  shape[axis] = Intersect(shape[axis], left).value_or(shape[axis]);
  return absl::OkStatus();
}

absl::StatusOr<PartialShape> NewShape(const InferContext& context,
                                      const ValueRange& pattern) {
  const bool special_zero =
      context.attributes<ReshapeAttributes>().special_zero;
  PartialShape shape = PartialShape::OfRank(static_cast<int>(pattern.size()));
  int rest = -1, inexact = -1, inexact_count = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const ValueRange::Interval& number = pattern[axis];
    if (number.is_exact() && number.lower == -1) {
      if (rest >= 0) {
        return context.Error("input 1, the new shape, has -1 at ", rest,
                             " and at ", axis, ", want it once at most");
      }
      rest = axis;
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(shape[axis],
                              NewExtent(context, number, axis, special_zero));
    if (number.is_exact()) continue;
    inexact = axis;
    ++inexact_count;
  }
  if (rest >= 0) {
    DOVETAIL_RETURN_IF_ERROR(Solve(context, pattern, rest, shape));
  } else if (inexact_count == 1 && !IsZeroBeside(shape, inexact)) {
    // One extent that is not known is what is left, too; of no elements at all
    // it may be any.
    DOVETAIL_RETURN_IF_ERROR(Solve(context, pattern, inexact, shape));
  }
  return shape;
}

absl::Status CheckElementCount(const InferContext& context,
                               const PartialShape& shape) {
  const Dimension have = context.shape(0).ElementCount();
  const Dimension want = shape.ElementCount();
  if (have.Compatible(want)) return absl::OkStatus();
  return context.Error("input 0 of shape ", context.shape(0).ToString(),
                       " has ", have.ToString(),
                       " elements, but the new shape ", shape.ToString(),
                       " has ", want.ToString());
}

}  // namespace

absl::Status InferReshape(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 1, 0, 1));
  const PartialShape& pattern_shape = context.shape(1);
  const ValueRange* pattern = context.value(1);
  const bool scalar = pattern_shape.rank_known() && pattern_shape.rank() == 0;
  PartialShape shape;
  if (scalar) {
    if (pattern != nullptr && (*pattern)[0].is_exact() &&
        (*pattern)[0].lower != 1) {
      return context.Error("input 1, the new shape, is the scalar ",
                           (*pattern)[0].lower, ", want a vector or 1");
    }
    shape = PartialShape::OfRank(0);
  } else if (pattern != nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(shape, NewShape(context, *pattern));
  } else {
    shape = ShapeOfLength(pattern_shape);
  }
  DOVETAIL_RETURN_IF_ERROR(CheckElementCount(context, shape));
  context.SetOutput(0, context.type(0), std::move(shape));
  ForwardValue(context);
  return absl::OkStatus();
}

}  // namespace dovetail
