// Rows of the table of operations: recurrent cells and sequences.
#ifndef DOVETAIL_CORE_OPS_RECURRENT_TABLE_H_
#define DOVETAIL_CORE_OPS_RECURRENT_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> RecurrentOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_RECURRENT_TABLE_H_
