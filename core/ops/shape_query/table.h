// The rows of the operations that ask for shapes or make tensors from them.
#ifndef DOVETAIL_CORE_OPS_SHAPE_QUERY_TABLE_H_
#define DOVETAIL_CORE_OPS_SHAPE_QUERY_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> ShapeQueryOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_SHAPE_QUERY_TABLE_H_
