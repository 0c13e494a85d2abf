// The rows of the operations that read, write or find elements by index.
#ifndef DOVETAIL_CORE_OPS_INDEXING_TABLE_H_
#define DOVETAIL_CORE_OPS_INDEXING_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> IndexingOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_TABLE_H_
