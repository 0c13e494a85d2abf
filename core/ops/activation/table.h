// Rows of the table of operations: activation functions of neural networks.
#ifndef DOVETAIL_CORE_OPS_ACTIVATION_TABLE_H_
#define DOVETAIL_CORE_OPS_ACTIVATION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

absl::Span<const OpInfo> ActivationOps();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ACTIVATION_TABLE_H_
