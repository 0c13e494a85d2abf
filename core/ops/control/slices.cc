#include "dovetail/core/ops/control/slices.h"

#include <limits>

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

absl::Status CheckSlicing(const Slicing& slicing) {
  if (slicing.part_size < 1) {
    return InvalidArgument("part_size is ", slicing.part_size,
                           ", want at least 1");
  }
  if (slicing.stride == 0 ||
      slicing.stride == std::numeric_limits<int64_t>::min()) {
    return InvalidArgument("stride is ", slicing.stride,
                           ", want a step forwards or backwards");
  }
  return absl::OkStatus();
}

// A border between elements; -1 is the one behind the last element.
int64_t Border(int64_t position, int64_t extent) {
  return position < 0 ? extent + 1 + position : position;
}

bool IsWhole(const Slicing& slicing) {
  return slicing.stride > 0 ? slicing.start == 0 && slicing.end == -1
                            : slicing.start == -1 && slicing.end == 0;
}

// The number of whole parts in `length` elements.
int64_t WholeParts(const Slicing& slicing, int64_t length) {
  if (length < slicing.part_size) return 0;
  const int64_t step = slicing.stride < 0 ? -slicing.stride : slicing.stride;
  return (length - slicing.part_size) / step + 1;
}

}  // namespace

absl::StatusOr<Parts> CutIntoParts(const Slicing& slicing, int64_t extent) {
  DOVETAIL_RETURN_IF_ERROR(CheckSlicing(slicing));
  const bool forwards = slicing.stride > 0;
  const int64_t step = forwards ? slicing.stride : -slicing.stride;
  const int64_t start = Border(slicing.start, extent);
  const int64_t end = Border(slicing.end, extent);
  const int64_t low = forwards ? start : end;
  const int64_t high = forwards ? end : start;
  if (low < 0 || low > high || high > extent) {
    return InvalidArgument("start ", slicing.start, " and end ", slicing.end,
                           " by stride ", slicing.stride,
                           " are no range of ", extent, " elements");
  }
  const int64_t length = high - low;
  Parts parts;
  parts.step = slicing.stride;
  parts.count = WholeParts(slicing, length);
  const bool all_used =
      length % step == 0 || (length - slicing.part_size) % step == 0;
  if (length > 0 && (parts.count == 0 || !all_used)) {
    return InvalidArgument(length, " elements cannot be cut into parts of ",
                           slicing.part_size, " by stride ", slicing.stride);
  }
  parts.first = forwards ? low : high - slicing.part_size;
  return parts;
}

absl::StatusOr<Dimension> CountParts(const Slicing& slicing,
                                     const Dimension& extent) {
  if (extent.is_static()) {
    DOVETAIL_ASSIGN_OR_RETURN(const Parts parts,
                              CutIntoParts(slicing, extent.value()));
    return Dimension(parts.count);
  }
  DOVETAIL_RETURN_IF_ERROR(CheckSlicing(slicing));
  const int64_t least =
      IsWhole(slicing) ? WholeParts(slicing, extent.min()) : 0;
  if (extent.max() == Dimension::kInfinity) {
    return Dimension(least, Dimension::kInfinity);
  }
  return Dimension(least, WholeParts(slicing, extent.max()));
}

}  // namespace dovetail
