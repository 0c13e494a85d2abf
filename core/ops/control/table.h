// Rows of the table of operations: branches and loops.
#ifndef DOVETAIL_CORE_OPS_CONTROL_TABLE_H_
#define DOVETAIL_CORE_OPS_CONTROL_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> ControlOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONTROL_TABLE_H_
