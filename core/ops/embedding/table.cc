#include "dovetail/core/ops/embedding/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/embedding/embedding.h"
#include "dovetail/core/ops/embedding/segment_max.h"
#include "dovetail/core/ops/embedding/sparse_fill_empty_rows.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"EmbeddingBagOffsets", 15, "EmbeddingBagOffsets", OpsetRange::Since(15),
     {3, 5}, {1, 1}, &MakeAttributes<EmbeddingBagAttributes>,
     &InferEmbeddingBagOffsets, kAnyNumericOrBoolean},
    {"EmbeddingBagOffsetsSum", 3, "EmbeddingBagOffsetsSum",
     OpsetRange::Since(3), {3, 5}, {1, 1}, &MakeAttributes<NoAttributes>,
     &InferEmbeddingBagOffsets, kAnyNumericOrBoolean},
    {"EmbeddingBagPacked", 15, "EmbeddingBagPacked", OpsetRange::Since(15),
     {2, 3}, {1, 1}, &MakeAttributes<EmbeddingBagAttributes>,
     &InferEmbeddingBagPacked, kAnyNumericOrBoolean},
    {"EmbeddingBagPackedSum", 3, "EmbeddingBagPackedSum", OpsetRange::Since(3),
     {2, 3}, {1, 1}, &MakeAttributes<NoAttributes>, &InferEmbeddingBagPacked,
     kAnyNumericOrBoolean},
    {"EmbeddingSegmentsSum", 3, "EmbeddingSegmentsSum", OpsetRange::Since(3),
     {4, 6}, {1, 1}, &MakeAttributes<NoAttributes>, &InferEmbeddingSegments,
     kAnyNumericOrBoolean},
    {"SegmentMax", 16, "SegmentMax", OpsetRange::Since(16), {2, 3}, {1, 1},
     &MakeAttributes<SegmentMaxAttributes>, &InferSegmentMax,
     kAnyNumericOrBoolean},
    {"SparseFillEmptyRows", 16, "SparseFillEmptyRows", OpsetRange::Since(16),
     {4, 4}, {3, 3}, &MakeAttributes<NoAttributes>, &InferSparseFillEmptyRows,
     kAllTypes},
};

}  // namespace

absl::Span<const OpInfo> EmbeddingOps() { return kOps; }

}  // namespace dovetail
