// The table of operations: every version of every operation of opset1 to
// opset17. Each family of operations has its rows in a file of its own
// (convolution/table.cc, …); this is where they come together.
#ifndef DOVETAIL_CORE_OPS_OP_TABLE_H_
#define DOVETAIL_CORE_OPS_OP_TABLE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/graph/op_type.h"

namespace dovetail {

// All rows, sorted by type and version. Lives as long as the process.
const std::vector<const OpInfo*>& AllOps();

// The row of that type ("Softmax", any case) and version; null when there is
// none.
const OpInfo* FindOp(absl::string_view type, int version);
// The newest version of an operation, or that of its name ("Gelu-0"). Null for
// no name but one of OpType::Named.
const OpInfo* FindOp(OpType op);
// What a layer of that IR type ("SoftMax", any case) means in opset number
// `opset`. kNotFound tells apart an unknown operation and one that this opset
// does not have, and then lists the opsets that do.
absl::StatusOr<const OpInfo*> FindOpInOpset(absl::string_view ir_type,
                                            int opset);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_OP_TABLE_H_
