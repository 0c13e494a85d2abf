// Which operation a layer is, and all that are none.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_OPERATIONS_H_
#define DOVETAIL_EXTENSIONS_IR_READER_OPERATIONS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/extensions/ir/reader/layers.h"
#include "dovetail/extensions/ir/reader/options.h"

namespace dovetail::ir {

// The operation of a layer: an extension's, else a built-in one.
// kUnimplemented for an opset that neither has, kInvalidArgument for a built-in
// opset without such an operation.
absl::StatusOr<const OpInfo*> FindOperation(const Layer& layer,
                                            const OpLookup& find_op);

// Where several layers, of those in `order` or in their bodies, are unknown
// operations: one error that lists each operation with its type, opset and
// layers. A single one is left to the reader, which says more of it.
absl::Status CheckOperations(const std::vector<Layer>& layers,
                             const std::vector<int>& order,
                             const ReadOptions& options);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_OPERATIONS_H_
