// Rows of the table of operations: connectionist temporal classification.
#ifndef DOVETAIL_CORE_OPS_CTC_TABLE_H_
#define DOVETAIL_CORE_OPS_CTC_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> CtcOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CTC_TABLE_H_
