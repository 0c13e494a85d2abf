// Rows of the table of operations: packing and unpacking of strings.
#ifndef DOVETAIL_CORE_OPS_STRING_TABLE_H_
#define DOVETAIL_CORE_OPS_STRING_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> StringOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_STRING_TABLE_H_
