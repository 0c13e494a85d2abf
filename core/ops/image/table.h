// Rows of the table of operations: images.
#ifndef DOVETAIL_CORE_OPS_IMAGE_TABLE_H_
#define DOVETAIL_CORE_OPS_IMAGE_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> ImageOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_IMAGE_TABLE_H_
