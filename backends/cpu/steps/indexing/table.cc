#include "dovetail/backends/cpu/steps/indexing/table.h"

#include "dovetail/backends/cpu/steps/indexing/gather.h"
#include "dovetail/backends/cpu/steps/indexing/top_k.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> IndexingEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Gather", &EmitGather},
      {"GatherElements", &EmitGatherElements},
      {"GatherND", &EmitGatherNd},
      {"TopK", &EmitTopK},
  };
  return kRows;
}

}  // namespace dovetail::cpu
