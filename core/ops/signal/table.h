// Rows of the table of operations: discrete Fourier transforms.
#ifndef DOVETAIL_CORE_OPS_SIGNAL_TABLE_H_
#define DOVETAIL_CORE_OPS_SIGNAL_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> SignalOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_SIGNAL_TABLE_H_
