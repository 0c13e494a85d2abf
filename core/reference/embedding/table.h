// The kernels of embeddings and segments.
#ifndef DOVETAIL_CORE_REFERENCE_EMBEDDING_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_EMBEDDING_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> EmbeddingKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_EMBEDDING_TABLE_H_
