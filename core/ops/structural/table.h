// Rows of the table of operations: Parameter, Constant, Result, Identity.
#ifndef DOVETAIL_CORE_OPS_STRUCTURAL_TABLE_H_
#define DOVETAIL_CORE_OPS_STRUCTURAL_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> StructuralOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_STRUCTURAL_TABLE_H_
