// The rows of the operations that reduce axes.
#ifndef DOVETAIL_CORE_OPS_REDUCTION_TABLE_H_
#define DOVETAIL_CORE_OPS_REDUCTION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> ReductionOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_REDUCTION_TABLE_H_
