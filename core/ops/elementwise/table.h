// Rows of the table of operations: arithmetic, comparisons, logic, bits,
// roundings, functions of one variable, Select, Clamp and conversions.
#ifndef DOVETAIL_CORE_OPS_ELEMENTWISE_TABLE_H_
#define DOVETAIL_CORE_OPS_ELEMENTWISE_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> ElementwiseOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ELEMENTWISE_TABLE_H_
