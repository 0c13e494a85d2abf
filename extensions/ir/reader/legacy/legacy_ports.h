// Version 10 came with fewer types at the inputs and outputs of a model than
// inside.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_LEGACY_LEGACY_PORTS_H_
#define DOVETAIL_EXTENSIONS_IR_READER_LEGACY_LEGACY_PORTS_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::ir {

// Gives the inputs and outputs of a model of version 10 the types that its
// users know, as OpenVINO does, with a Convert behind the input or in front of
// the output: inputs of f16 are f32; outputs of 32 and 64 bit integers are i32,
// all others f32. Tensor names stay at the outside.
absl::Status UseLegacyPortTypes(Model* model);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_LEGACY_LEGACY_PORTS_H_
