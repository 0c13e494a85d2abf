// Axes that come from attributes and inputs: counted from the end when
// negative.
#ifndef DOVETAIL_CORE_OPS_COMMON_AXES_H_
#define DOVETAIL_CORE_OPS_COMMON_AXES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// `axis` as a number in [0, rank). The error names the node, what the number
// is ("axis", "input 1"), its value and the rank.
absl::StatusOr<int> CheckedAxis(const InferContext& context, int64_t axis,
                                int rank, absl::string_view what = "axis");

// Every axis as a number in [0, rank), in the order given. An axis that is
// there twice is an error.
absl::StatusOr<std::vector<int>> CheckedAxes(const InferContext& context,
                                             absl::Span<const int64_t> axes,
                                             int rank,
                                             absl::string_view what = "axes");

// The same in ascending order.
absl::StatusOr<std::vector<int>> SortedAxes(const InferContext& context,
                                            absl::Span<const int64_t> axes,
                                            int rank,
                                            absl::string_view what = "axes");

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_COMMON_AXES_H_
