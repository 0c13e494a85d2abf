// Bucketize and SearchSorted: where elements belong in a sorted list.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_SEARCH_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_SEARCH_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// Lists and values of f32, or of integers.
absl::StatusOr<bool> EmitBucketize(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitSearchSorted(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_SEARCH_H_
