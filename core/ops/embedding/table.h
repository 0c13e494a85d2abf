// Rows of the table of operations: embeddings and segments.
#ifndef DOVETAIL_CORE_OPS_EMBEDDING_TABLE_H_
#define DOVETAIL_CORE_OPS_EMBEDDING_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> EmbeddingOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_EMBEDDING_TABLE_H_
