// Numbers that inference reads from inputs and hands on as values.
#ifndef DOVETAIL_CORE_OPS_COMMON_VALUES_H_
#define DOVETAIL_CORE_OPS_COMMON_VALUES_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/graph/value_range.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

// Ranks beyond it are taken for unknown: nothing real has them, and a file
// that says so must not make us allocate that many dimensions.
inline constexpr int64_t kMaxRank = ValueRange::kMaxElements;

// The shape whose extents are the elements of a vector of that shape of which
// nothing is known: of that rank, or of dynamic rank.
PartialShape ShapeOfLength(const PartialShape& vector);
// `rank` unknown extents; dynamic rank when it is outside of 0 … kMaxRank.
PartialShape UnknownOfRank(int64_t rank);

// An element as an extent: cut to [0, infinity], unknown when it may be
// negative.
Dimension ExtentOf(const ValueRange::Interval& element);

// Notes that output 0 has the elements of input 0 in the same order.
void ForwardValue(InferContext& context);

// The number of elements of an input of rank 0 or 1 that lists something:
// 1 for a scalar; unknown when its shape is.
Dimension LengthOf(const InferContext& context, int input);

// Inputs `a` and `b`, vectors, have the same number of elements. The error
// names both.
absl::Status RequireSameLength(const InferContext& context, int a, int b);
// Input `input`, a vector, has as many elements as input `data` has axes.
absl::Status RequireLengthIsRank(const InferContext& context, int input,
                                 int data);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_COMMON_VALUES_H_
