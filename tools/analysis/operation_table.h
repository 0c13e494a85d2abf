// The table of operations for people: what there is, in which element types,
// and which devices have kernels for it.
#ifndef DOVETAIL_TOOLS_ANALYSIS_OPERATION_TABLE_H_
#define DOVETAIL_TOOLS_ANALYSIS_OPERATION_TABLE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

struct OperationTable {
  struct Row {
    const OpInfo* op;
    // One a device: "native" by kernels of its own, "decomposed" by those of
    // others, "reference" by the plain ones of core, or "".
    std::vector<std::string> how;
  };
  std::vector<std::string> devices;
  std::vector<Row> rows;
};

// A device's name with the names ("Softmax-8 Relu-0") of the operations that it
// has kernels of its own for, of those that it runs by the plain ones, and of
// those among the latter that its passes say by others where they can.
struct DeviceOperations {
  std::string device, native, reference, decomposed;
};

// Of these operations; devices that compute nothing are left out.
OperationTable MakeOperationTable(absl::Span<const OpInfo* const> ops,
                                  const std::vector<DeviceOperations>& devices);

// "1-3, 5-17"
std::string OpsetsText(const OpInfo& op);
// "floats, u8", with words for classes of types that MarkdownOf explains.
std::string ElementTypesText(const OpInfo& op);

// A line an operation, in columns.
std::string TextOf(const OperationTable& table);
// The whole of a file, with a table in Markdown. `command` is what writes it.
std::string MarkdownOf(const OperationTable& table, absl::string_view command);

}  // namespace dovetail

#endif  // DOVETAIL_TOOLS_ANALYSIS_OPERATION_TABLE_H_
