// Friendly names and tensor names that a reader adds to those of the file.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_NAMES_H_
#define DOVETAIL_EXTENSIONS_IR_READER_NAMES_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::ir {

// Gives nodes that share a friendly name one with a number behind it. Whom
// users address keeps the name: parameters, then what feeds results, then the
// first node; results come last.
void MakeNamesUnique(Model* model);

// Users of version 10 call inputs and outputs by the names of layers: adds them
// as tensor names, "name.1" for an output of a layer with several.
// kInvalidArgument when the name is that of another input or output.
absl::Status AddLayerNamesAsTensorNames(Model* model);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_NAMES_H_
