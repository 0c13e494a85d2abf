// Rows of the table of operations: RandomUniform and Multinomial.
#ifndef DOVETAIL_CORE_OPS_RANDOM_TABLE_H_
#define DOVETAIL_CORE_OPS_RANDOM_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> RandomOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_RANDOM_TABLE_H_
