// The rows of the operations that move elements: Reshape, Concat, Slice, Pad …
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_TABLE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> MovementOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_TABLE_H_
