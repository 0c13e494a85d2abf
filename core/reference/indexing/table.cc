#include "dovetail/core/reference/indexing/table.h"

#include "dovetail/core/reference/common/whole_bytes.h"
#include "dovetail/core/reference/indexing/gather/gather.h"
#include "dovetail/core/reference/indexing/ordering/ordering.h"
#include "dovetail/core/reference/indexing/scatter/scatter.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"Bucketize", 3, &BucketizeKernel},
    {"CumSum", 0, &CumSumKernel},
    {"Gather", 1, &OnWholeBytes<&GatherKernel>},
    {"Gather", 7, &OnWholeBytes<&GatherKernel>},
    {"Gather", 8, &OnWholeBytes<&GatherKernel>},
    {"GatherElements", 6, &OnWholeBytes<&GatherElementsKernel>},
    {"GatherND", 5, &OnWholeBytes<&GatherNDKernel>},
    {"GatherND", 8, &OnWholeBytes<&GatherNDKernel>},
    {"GatherTree", 1, &GatherTreeKernel},
    {"NonZero", 3, &NonZeroKernel},
    {"OneHot", 1, &OneHotKernel},
    {"OneHot", 16, &OneHotKernel},
    {"ScatterElementsUpdate", 3, &ScatterElementsUpdateKernel},
    {"ScatterElementsUpdate", 12, &ScatterElementsUpdateKernel},
    {"ScatterNDUpdate", 3, &OnWholeBytes<&ScatterNDUpdateKernel>},
    {"ScatterNDUpdate", 15, &ScatterNDUpdateKernel},
    {"ScatterUpdate", 3, &OnWholeBytes<&ScatterUpdateKernel>},
    {"SearchSorted", 15, &SearchSortedKernel},
    {"TopK", 1, &TopKKernel},
    {"TopK", 3, &TopKKernel},
    {"TopK", 11, &TopKKernel},
    {"Unique", 10, &UniqueKernel},
};

}  // namespace

absl::Span<const KernelRow> IndexingKernels() { return kKernels; }

}  // namespace dovetail
