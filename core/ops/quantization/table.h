// Rows of the table of operations: quantization.
#ifndef DOVETAIL_CORE_OPS_QUANTIZATION_TABLE_H_
#define DOVETAIL_CORE_OPS_QUANTIZATION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> QuantizationOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_QUANTIZATION_TABLE_H_
