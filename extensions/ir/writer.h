// Writes OpenVINO IR: a model as XML, and its constants in a file of bytes
// beside it. What it writes, OpenVINO reads, and so does reader.h.
#ifndef DOVETAIL_EXTENSIONS_IR_WRITER_H_
#define DOVETAIL_EXTENSIONS_IR_WRITER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

struct WriteOptions {
  // 10 or 11. Version 10 has no rt_info for layers and ports, and who reads it
  // adds the names of layers to those of inputs and outputs.
  int version = 11;
};

// Writes to `xml_path` and `bin_path` (empty: `xml_path` with the ending
// ".bin"). Equal constants are stored once. Both files are written under
// temporary names first and then moved, so that a model that is still mapped
// from there stays valid and a failure leaves what was there.
//
// What an IR cannot hold is lost: in rt_info of nodes and ports what is deeper
// than entries with texts; which names a tensor has when several of them end in
// a backslash.
//
// kInvalidArgument names the layer that cannot be written: an operation that no
// opset has, an input that is not connected, names that are not UTF-8.
// kUnavailable names the file that cannot be written.
absl::Status WriteIr(const Model& model, const std::string& xml_path,
                     const std::string& bin_path = "",
                     const WriteOptions& options = {});

struct IrFiles {
  std::string xml;
  std::string weights;
};

// The same to memory.
absl::StatusOr<IrFiles> WriteIrToMemory(const Model& model,
                                        const WriteOptions& options = {});

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_IR_WRITER_H_
