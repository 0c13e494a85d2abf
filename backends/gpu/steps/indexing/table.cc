#include "dovetail/backends/gpu/steps/indexing/table.h"

#include "dovetail/backends/gpu/steps/indexing/cum_sum.h"
#include "dovetail/backends/gpu/steps/indexing/eye.h"
#include "dovetail/backends/gpu/steps/indexing/gather/embedding.h"
#include "dovetail/backends/gpu/steps/indexing/gather/gather.h"
#include "dovetail/backends/gpu/steps/indexing/gather/gather_tree.h"
#include "dovetail/backends/gpu/steps/indexing/one_hot.h"
#include "dovetail/backends/gpu/steps/indexing/scatter/scatter.h"
#include "dovetail/backends/gpu/steps/indexing/search.h"
#include "dovetail/backends/gpu/steps/indexing/top_k.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> IndexingEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Bucketize", &EmitBucketize},
      {"CumSum", &EmitCumSum},
      {"EmbeddingBagOffsets", &EmitEmbeddingBagOffsets},
      {"EmbeddingBagOffsetsSum", &EmitEmbeddingBagOffsets},
      {"EmbeddingBagPacked", &EmitEmbeddingBagPacked},
      {"EmbeddingBagPackedSum", &EmitEmbeddingBagPacked},
      {"EmbeddingSegmentsSum", &EmitEmbeddingSegments},
      {"Eye", &EmitEye},
      {"Gather", &EmitGather},
      {"GatherElements", &EmitGatherElements},
      {"GatherND", &EmitGatherNd},
      {"GatherTree", &EmitGatherTree},
      {"OneHot", &EmitOneHot},
      {"ScatterElementsUpdate", &EmitScatterElementsUpdate},
      {"ScatterNDUpdate", &EmitScatterNdUpdate},
      {"ScatterUpdate", &EmitScatterUpdate},
      {"SearchSorted", &EmitSearchSorted},
      {"TopK", &EmitTopK},
  };
  return kRows;
}

}  // namespace dovetail::gpu
