// Kernels of embeddings and segments.
#ifndef DOVETAIL_CORE_REFERENCE_EMBEDDING_EMBEDDING_H_
#define DOVETAIL_CORE_REFERENCE_EMBEDDING_EMBEDDING_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Sums of integers wrap. Empty bags hold the default row as it is, without a
// weight, or zeros.
absl::Status EmbeddingBagOffsetsKernel(KernelContext& context);
absl::Status EmbeddingBagPackedKernel(KernelContext& context);
// Segment ids need not be sorted.
absl::Status EmbeddingSegmentsKernel(KernelContext& context);
// NaN is ignored.
absl::Status SegmentMaxKernel(KernelContext& context);
// Within a row values keep their order.
absl::Status SparseFillEmptyRowsKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_EMBEDDING_EMBEDDING_H_
