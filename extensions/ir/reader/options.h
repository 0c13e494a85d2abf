// Options of the IR reader.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_OPTIONS_H_
#define DOVETAIL_EXTENSIONS_IR_READER_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

// Beyond these a file is refused before anything of that size is made.
struct ReadLimits {
  int64_t max_xml_bytes = int64_t{1} << 29;
  int64_t max_layers = int64_t{1} << 20;  // bodies included
  int max_body_depth = 16;
  int max_rt_info_depth = 64;
  int max_rank = 64;
};

// An operation of an extension by type and opset, as the layer spells them;
// null when the extension does not have it. Asked before the built-in table.
// What it answers has to outlive the model.
using OpLookup = std::function<const OpInfo*(absl::string_view type,
                                             absl::string_view opset)>;

struct ReadOptions {
  // Empty: the model's path with the ending ".bin", if that file exists.
  std::string weights_path;
  // Whether the weights stay a mapped file, of which only what is used is in
  // memory, or are read as a whole: the file may then change or go.
  bool map_weights = true;
  OpLookup find_op;
  ReadLimits limits;
};

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_IR_READER_OPTIONS_H_
