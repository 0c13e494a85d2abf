// The parts that a loop cuts its inputs into, one an iteration.
#ifndef DOVETAIL_CORE_OPS_CONTROL_SLICES_H_
#define DOVETAIL_CORE_OPS_CONTROL_SLICES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

// Part number i covers [first + i * step, first + i * step + part_size) of the
// axis, i in [0, count).
struct Parts {
  int64_t first = 0;
  int64_t step = 1;  // negative: from the end to the beginning
  int64_t count = 0;
};

// How `slicing` cuts an axis of that extent. Parts of |stride| elements or less
// have to make up all of the range, as larger ones, which overlap, have to end
// with it. kInvalidArgument says what does not fit.
absl::StatusOr<Parts> CutIntoParts(const Slicing& slicing, int64_t extent);

// The number of parts as far as the extent is known.
absl::StatusOr<Dimension> CountParts(const Slicing& slicing,
                                     const Dimension& extent);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONTROL_SLICES_H_
