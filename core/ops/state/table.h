// Rows of the table of operations: state between inferences.
#ifndef DOVETAIL_CORE_OPS_STATE_TABLE_H_
#define DOVETAIL_CORE_OPS_STATE_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> StateOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_STATE_TABLE_H_
