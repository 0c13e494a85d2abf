// Rows of the table of operations: matrix multiplications and tensors.
#ifndef DOVETAIL_CORE_OPS_LINEAR_TABLE_H_
#define DOVETAIL_CORE_OPS_LINEAR_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> LinearOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_LINEAR_TABLE_H_
