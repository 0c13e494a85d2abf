// Embeddings: rows of a table, gathered into bags and added up.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_GATHER_EMBEDDING_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_GATHER_EMBEDDING_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32 and integers. Rows outside of the table, which are an error that a kernel
// cannot tell, add nothing. Known ones are left to the host, which can.
absl::StatusOr<bool> EmitEmbeddingBagOffsets(const Node& node,
                                             PlanBuilder& builder);
absl::StatusOr<bool> EmitEmbeddingBagPacked(const Node& node,
                                            PlanBuilder& builder);
absl::StatusOr<bool> EmitEmbeddingSegments(const Node& node,
                                           PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_GATHER_EMBEDDING_H_
