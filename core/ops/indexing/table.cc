#include "dovetail/core/ops/indexing/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/ops/indexing/gather/gather_elements.h"
#include "dovetail/core/ops/indexing/gather/gather_nd.h"
#include "dovetail/core/ops/indexing/gather/gather_tree.h"
#include "dovetail/core/ops/indexing/ordering/bucketize.h"
#include "dovetail/core/ops/indexing/ordering/cum_sum.h"
#include "dovetail/core/ops/indexing/ordering/non_zero.h"
#include "dovetail/core/ops/indexing/ordering/one_hot.h"
#include "dovetail/core/ops/indexing/ordering/top_k.h"
#include "dovetail/core/ops/indexing/ordering/unique.h"
#include "dovetail/core/ops/indexing/scatter/scatter_elements_update.h"
#include "dovetail/core/ops/indexing/scatter/scatter_nd_update.h"
#include "dovetail/core/ops/indexing/scatter/scatter_update.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr Arity kOne = {1, 1};
constexpr Arity kTwo = {2, 2};
constexpr Arity kThree = {3, 3};
constexpr Arity kFour = {4, 4};

const OpInfo kRows[] = {
    {"Bucketize", 3, "Bucketize", OpsetRange::Since(3), kTwo, kOne,
     &MakeAttributes<BucketizeAttributes>, &InferBucketize, kAnyNumeric},
    {"CumSum", 0, "CumSum", OpsetRange::Since(3), {1, 2}, kOne,
     &MakeAttributes<CumSumAttributes>, &InferCumSum, kAnyNumericOrBoolean},
    {"Gather", 1, "Gather", OpsetRange::Between(1, 6), kThree, kOne,
     &MakeAttributes<NoAttributes>, &InferGather, kAllTypes},
    {"Gather", 7, "Gather", OpsetRange::Between(7, 7), kThree, kOne,
     &MakeAttributes<GatherAttributes>, &InferGather, kAllTypes},
    {"Gather", 8, "Gather", OpsetRange::Since(8), kThree, kOne,
     &MakeAttributes<GatherAttributes>, &InferGather, kAllTypes},
    {"GatherElements", 6, "GatherElements", OpsetRange::Since(6), kTwo, kOne,
     &MakeAttributes<GatherElementsAttributes>, &InferGatherElements,
     kAllTypes},
    {"GatherND", 5, "GatherND", OpsetRange::Between(5, 7), kTwo, kOne,
     &MakeAttributes<GatherNDAttributes>, &InferGatherND, kAllTypes},
    {"GatherND", 8, "GatherND", OpsetRange::Since(8), kTwo, kOne,
     &MakeAttributes<GatherNDAttributes>, &InferGatherND, kAllTypes},
    {"GatherTree", 1, "GatherTree", OpsetRange::Since(1), kFour, kOne,
     &MakeAttributes<NoAttributes>, &InferGatherTree, kAnyNumeric},
    {"NonZero", 3, "NonZero", OpsetRange::Since(3), kOne, kOne,
     &MakeAttributes<NonZeroAttributes>, &InferNonZero, kAnyNumericOrBoolean,
     kDataDependentShape},
    {"OneHot", 1, "OneHot", OpsetRange::Between(1, 15), kFour, kOne,
     &MakeAttributes<OneHotAttributes>, &InferOneHot, {kAllTypes, 2}},
    {"OneHot", 16, "OneHot", OpsetRange::Since(16), kFour, kOne,
     &MakeAttributes<OneHot16Attributes>, &InferOneHot, {kAllTypes, 2}},
    {"ScatterElementsUpdate", 3, "ScatterElementsUpdate",
     OpsetRange::Between(3, 11), kFour, kOne, &MakeAttributes<NoAttributes>,
     &InferScatterElementsUpdate, kAllTypes},
    {"ScatterElementsUpdate", 12, "ScatterElementsUpdate",
     OpsetRange::Since(12), kFour, kOne,
     &MakeAttributes<ScatterElementsUpdateAttributes>,
     &InferScatterElementsUpdate, kAllTypes},
    {"ScatterNDUpdate", 3, "ScatterNDUpdate", OpsetRange::Between(4, 14),
     kThree, kOne, &MakeAttributes<NoAttributes>, &InferScatterNDUpdate,
     kAllTypes},
    {"ScatterNDUpdate", 15, "ScatterNDUpdate", OpsetRange::Since(15), kThree,
     kOne, &MakeAttributes<ScatterNDUpdateAttributes>, &InferScatterNDUpdate,
     kAllTypes},
    {"ScatterUpdate", 3, "ScatterUpdate", OpsetRange::Since(3), kFour, kOne,
     &MakeAttributes<NoAttributes>, &InferScatterUpdate, kAllTypes},
    {"SearchSorted", 15, "SearchSorted", OpsetRange::Since(15), kTwo, kOne,
     &MakeAttributes<SearchSortedAttributes>, &InferSearchSorted,
     kAnyNumericOrBoolean},
    {"TopK", 1, "TopK", OpsetRange::Between(1, 2), kTwo, kTwo,
     &MakeTopK1Attributes, &InferTopK, kAnyNumericOrBoolean},
    {"TopK", 3, "TopK", OpsetRange::Between(3, 10), kTwo, kTwo,
     &MakeTopK1Attributes, &InferTopK, kAnyNumericOrBoolean},
    {"TopK", 11, "TopK", OpsetRange::Since(11), kTwo, kTwo,
     &MakeAttributes<TopKAttributes>, &InferTopK, kAnyNumericOrBoolean},
    {"Unique", 10, "Unique", OpsetRange::Since(10), {1, 2}, kFour,
     &MakeAttributes<UniqueAttributes>, &InferUnique, kAnyNumericOrBoolean,
     kDataDependentShape},
};

}  // namespace

absl::Span<const OpInfo> IndexingOps() { return kRows; }

}  // namespace dovetail
