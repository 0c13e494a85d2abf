#include "dovetail/backends/cpu/steps/indexing/table.h"

#include "dovetail/backends/cpu/steps/indexing/gather.h"
#include "dovetail/backends/cpu/steps/indexing/one_hot.h"
#include "dovetail/backends/cpu/steps/indexing/scatter.h"
#include "dovetail/backends/cpu/steps/indexing/slice_scatter.h"
#include "dovetail/backends/cpu/steps/indexing/top_k.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> IndexingEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Gather", &EmitGather},
      {"GatherElements", &EmitGatherElements},
      {"GatherND", &EmitGatherNd},
      {"OneHot", &EmitOneHot},
      {"ScatterElementsUpdate", &EmitScatterElementsUpdate},
      {"ScatterNDUpdate", &EmitScatterNdUpdate},
      {"ScatterUpdate", &EmitScatterUpdate},
      {"SliceScatter", &EmitSliceScatter},
      {"TopK", &EmitTopK},
  };
  return kRows;
}

}  // namespace dovetail::cpu
