#include "dovetail/core/ops/shape_query/range.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/strided_view.h"

namespace dovetail {
namespace {

using Interval = ValueRange::Interval;

// The extents that a range can have for these bounds; any when step may be 0
// or is not known.
absl::StatusOr<Dimension> Extent(const InferContext& context, Interval start,
                                 Interval stop, Interval step) {
  if (!step.is_exact()) return Dimension::Unknown();
  // The longest range has its ends farthest apart.
  const bool up = step.lower > 0;
  const auto longest = RangeLength(up ? start.lower : start.upper,
                                   up ? stop.upper : stop.lower, step.lower);
  const auto shortest = RangeLength(up ? start.upper : start.lower,
                                    up ? stop.lower : stop.upper, step.lower);
  const bool exact = start.is_exact() && stop.is_exact();
  if (step.lower == 0 || !std::isfinite(step.lower) ||
      (exact && !longest.has_value())) {
    return context.Error("start ", start.lower, ", stop ", stop.lower,
                         " and step ", step.lower,
                         " make no range: want finite numbers and a step "
                         "other than 0");
  }
  return Dimension(shortest.value_or(0),
                   longest.value_or(Dimension::kInfinity));
}

Interval ElementOf(const InferContext& context, int input, bool truncate) {
  const ValueRange* value = context.value(input);
  if (value == nullptr || value->size() != 1) return UnknownElement();
  Interval element = (*value)[0];
  if (truncate) {
    element = {std::trunc(element.lower), std::trunc(element.upper)};
  }
  return element;
}

// Notes the numbers themselves where start and step are known.
void PropagateNumbers(InferContext& context, Interval start, Interval step,
                      const Dimension& extent) {
  if (!context.wants_values() || !start.is_exact() || !step.is_exact() ||
      extent.is_dynamic() || extent.value() > ValueRange::kMaxElements ||
      !IsInteger(context.outputs()[0].type)) {
    return;
  }
  std::vector<double> numbers;
  for (int64_t i = 0; i < extent.value(); ++i) {
    numbers.push_back(start.lower + static_cast<double>(i) * step.lower);
  }
  context.SetValue(0, ValueRange::Exact(numbers));
}

}  // namespace

std::optional<int64_t> RangeLength(double start, double stop, double step) {
  if (!std::isfinite(start) || !std::isfinite(stop) || !std::isfinite(step) ||
      step == 0) {
    return std::nullopt;
  }
  const double length = std::ceil((stop - start) / step);
  if (!(length < 9.2e18)) return std::nullopt;
  return static_cast<int64_t>(std::max(length, 0.0));
}

std::optional<int64_t> RangeLength(int64_t start, int64_t stop,
                                   int64_t step) {
  if (step == 0) return std::nullopt;
  if (step > 0 ? stop <= start : stop >= start) return 0;
  // Unsigned arithmetic holds every distance.
  const uint64_t distance =
      step > 0 ? static_cast<uint64_t>(stop) - static_cast<uint64_t>(start)
               : static_cast<uint64_t>(start) - static_cast<uint64_t>(stop);
  const uint64_t stride =
      step > 0 ? static_cast<uint64_t>(step) : -static_cast<uint64_t>(step);
  const uint64_t length = (distance - 1) / stride + 1;
  if (length > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<int64_t>(length);
}

absl::Status InferRange(InferContext& context) {
  const auto* attributes = context.node().As<RangeAttributes>();
  ElementType type = ElementType::kDynamic;
  for (int i = 0; i < 3; ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireNumeric(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, i));
  }
  if (attributes != nullptr) {
    type = attributes->output_type;
    if (!IsInteger(type) && !IsFloat(type)) {
      return context.Error("output_type is ", ElementTypeName(type),
                           ", want a numeric type");
    }
  } else {
    DOVETAIL_ASSIGN_OR_RETURN(type, RequireSameType(context, 0, 2));
  }
  // Fractions of the inputs do not count when the output is integer.
  const bool truncate = IsInteger(type);
  const Interval start = ElementOf(context, 0, truncate);
  const Interval step = ElementOf(context, 2, truncate);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Dimension extent,
      Extent(context, start, ElementOf(context, 1, truncate), step));
  context.SetOutput(0, type, PartialShape{extent});
  PropagateNumbers(context, start, step, extent);
  return absl::OkStatus();
}

}  // namespace dovetail
