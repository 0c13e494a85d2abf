// Checks of inputs that many operations make, with one wording for all. What is
// not known yet (a dynamic type, a dynamic rank) passes; it is checked again
// when it is known, at the latest when the operation runs.
#ifndef DOVETAIL_CORE_OPS_COMMON_CHECKS_H_
#define DOVETAIL_CORE_OPS_COMMON_CHECKS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// The type of `input` is this one, or one of these:
// "input 1 has type f32, want i32 or i64".
absl::Status RequireType(const InferContext& context, int input,
                         ElementType type);
absl::Status RequireTypeIn(const InferContext& context, int input,
                           absl::Span<const ElementType> types);
// The type belongs to a class: floats (f64 … f4e2m1, nf4), integers
// (i2 … u64), either of them, boolean, indices (i32, i64).
absl::Status RequireFloat(const InferContext& context, int input);
absl::Status RequireInteger(const InferContext& context, int input);
absl::Status RequireNumeric(const InferContext& context, int input);
absl::Status RequireBoolean(const InferContext& context, int input);
absl::Status RequireIndex(const InferContext& context, int input);

// Inputs first … last (both included) are of one type, which is the answer;
// kDynamic when none of them is known.
absl::StatusOr<ElementType> RequireSameType(const InferContext& context,
                                            int first, int last);
// The same for any list of inputs; those that are not there are skipped.
absl::StatusOr<ElementType> RequireSameType(const InferContext& context,
                                            absl::Span<const int> inputs);

// The rank of `input` is this one, or between these, both included:
// "input 0 has shape [1,2], want rank 4".
absl::Status RequireRank(const InferContext& context, int input, int rank);
absl::Status RequireRankBetween(const InferContext& context, int input,
                                int min, int max);
absl::Status RequireRankAtLeast(const InferContext& context, int input,
                                int min);
// `input` is a scalar or holds one element in one dimension.
absl::Status RequireSingleElement(const InferContext& context, int input);

// What two dimensions that have to be equal are together. The error names
// both: "input 1 has 3 as C, want 4 as input 0 has".
absl::StatusOr<Dimension> RequireSameDimension(const InferContext& context,
                                               int input_a, int axis_a,
                                               int input_b, int axis_b,
                                               absl::string_view meaning);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_COMMON_CHECKS_H_
