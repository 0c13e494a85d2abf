#include "dovetail/core/reference/embedding/table.h"

#include "dovetail/core/reference/embedding/embedding.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"EmbeddingBagOffsets", 15, &EmbeddingBagOffsetsKernel},
    {"EmbeddingBagOffsetsSum", 3, &EmbeddingBagOffsetsKernel},
    {"EmbeddingBagPacked", 15, &EmbeddingBagPackedKernel},
    {"EmbeddingBagPackedSum", 3, &EmbeddingBagPackedKernel},
    {"EmbeddingSegmentsSum", 3, &EmbeddingSegmentsKernel},
    {"SegmentMax", 16, &SegmentMaxKernel},
    {"SparseFillEmptyRows", 16, &SparseFillEmptyRowsKernel},
};

}  // namespace

absl::Span<const KernelRow> EmbeddingKernels() { return kKernels; }

}  // namespace dovetail
