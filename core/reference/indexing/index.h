// Indices that come from tensors: checked before anything is read by them.
#ifndef DOVETAIL_CORE_REFERENCE_INDEXING_INDEX_H_
#define DOVETAIL_CORE_REFERENCE_INDEXING_INDEX_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// The elements of an input as numbers in [0, extent). Negative ones count from
// the end when `from_end`. The error names the first that lies outside.
absl::StatusOr<std::vector<int64_t>> CheckedIndices(
    const KernelContext& context, int input, int64_t extent, bool from_end);

// For an input whose last axis holds coordinates on axes first, first + 1, … of
// a shape (negative ones count from the end): for each tuple the number of
// elements from the beginning of the box that the axes before `first` select.
absl::StatusOr<std::vector<int64_t>> TupleOffsets(const KernelContext& context,
                                                  int input,
                                                  const Shape& shape,
                                                  int first);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_INDEXING_INDEX_H_
