// Rows of the table of operations: features of regions of interest.
#ifndef DOVETAIL_CORE_OPS_ROI_TABLE_H_
#define DOVETAIL_CORE_OPS_ROI_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> RoiOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ROI_TABLE_H_
