// GroupedMatMul: several matrix multiplications at once, as mixtures of experts
// need them.
#ifndef DOVETAIL_CORE_OPS_LINEAR_GROUPED_MATMUL_H_
#define DOVETAIL_CORE_OPS_LINEAR_GROUPED_MATMUL_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// One of
//   a [G, M, K], b [G, N, K]                      -> [G, M, N]
//   a [T, K], b [G, N, K], ends [G] (rows of a)   -> [T, N]
//   a [M, T], b [N, T], ends [G] (columns of both) -> [G, M, N]
// Group g takes rows or columns ends[g - 1] … ends[g] - 1. A fourth input,
// bias [G, N], is added to the rows of each group.
absl::Status InferGroupedMatMul(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_LINEAR_GROUPED_MATMUL_H_
