// The axes along which elements are normalized together.
#ifndef DOVETAIL_CORE_OPS_NORMALIZATION_AXES_H_
#define DOVETAIL_CORE_OPS_NORMALIZATION_AXES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// One flag for each of `rank` axes: whether the list names it. Negative axes
// count from the end; those that there are not have been refused before.
std::vector<bool> AxisFlags(absl::Span<const int64_t> axes, int rank);

// Input 0 holds floats, and input 1 a list of its axes, as far as known.
// Output 0 is like input 0.
absl::Status InferAlongAxes(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_NORMALIZATION_AXES_H_
